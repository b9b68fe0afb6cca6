import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { derToJose, joseToDer } from './ecdsa-signature.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

test('signatures of every length are the same in both forms', () => {
  const lengths = new Set<number>()
  // One in 256 has a short number: of 5,000 nearly all lengths come up.
  for (let n = 0; n < 5_000; n += 1) {
    const data = Buffer.from(`signed ${n}`)
    const der = sign('sha256', data, privateKey)
    lengths.add(der.length)
    const signature = derToJose(der)
    expect(joseToDer(signature)).toEqual(der)
    if (n % 100 > 0 && der.length >= 70) continue
    const isOne = verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)
    expect(isOne, der.toString('hex')).toBe(true)
  }
  expect(lengths.size).toBeGreaterThanOrEqual(4)
})

test.each([
  { is: 'small', r: '01', s: '7f', der: '300602010102017f' },
  { is: 'of the highest bit', r: '80', s: 'ff', der: '300802020080020200ff' },
  { is: 'zero', r: '00', s: '00', der: '3006020100020100' },
])('a number that is $is takes as few bytes as it needs', ({ r, s, der }) => {
  const signature = Buffer.from(r.padStart(64, '0') + s.padStart(64, '0'), 'hex')
  expect(joseToDer(signature)?.toString('hex')).toBe(der)
  expect(derToJose(Buffer.from(der, 'hex'))).toEqual(signature)
})

test.each([0, 63, 65, 128])('%i bytes are no signature', (length) => {
  expect(joseToDer(Buffer.alloc(length, 1))).toBeUndefined()
})
