import { createSecretKey, generateKeyPairSync } from 'node:crypto'
import { CompactSign, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { isSignedBy, signJws } from './compact-jws.ts'

const KEYS = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
} as const
const ALGS = ['ES256', 'EdDSA', 'RS256'] as const
const CLAIMS = { sub: '花子', n: 1 }

describe('a token that is signed', () => {
  test('by a private key is one to another library', async () => {
    const { privateKey, publicKey } = KEYS.ES256
    const token = signJws({ alg: 'ES256', typ: 'test+jwt', kid: 'k' }, CLAIMS, privateKey)
    const { payload, protectedHeader } = await jwtVerify(token, publicKey)
    expect(payload).toEqual(CLAIMS)
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'test+jwt', kid: 'k' })
    expect(isSignedBy(token, { alg: 'ES256', key: publicKey })).toBe(true)
  })

  test('by a secret is one to another library', async () => {
    const secret = createSecretKey(Buffer.from('s'.repeat(32)))
    const token = signJws({ alg: 'HS256' }, CLAIMS, secret)
    expect((await jwtVerify(token, secret)).payload).toEqual(CLAIMS)
  })
})

describe.each(ALGS)('a signature by %s', (alg) => {
  const { privateKey, publicKey: key } = KEYS[alg]
  const signed = new CompactSign(Buffer.from(JSON.stringify(CLAIMS)))
    .setProtectedHeader({ alg })
    .sign(privateKey)

  test('is accepted as it is, and with nothing changed', async () => {
    const token = await signed
    expect(isSignedBy(token, { alg, key })).toBe(true)
    const [header, claims, signature = ''] = token.split('.')
    const longer = Buffer.concat([Buffer.from(signature, 'base64url'), Buffer.of(0)])
    const changed = [
      `${header}.${Buffer.from('{}').toString('base64url')}.${signature}`,
      `${claims}.${claims}.${signature}`,
      `${header}.${claims}.${longer.toString('base64url')}`,
      `${header}.${claims}.${signature.slice(4)}`,
      `${header}.${claims}.`,
      `${header}.${claims}`,
      '',
    ]
    for (const other of changed) expect(isSignedBy(other, { alg, key }), other).toBe(false)
  })

  test.each(ALGS.filter((other) => other !== alg))('is none by %s', async (other) => {
    const token = await signed
    expect(isSignedBy(token, { alg: other, key: KEYS[other].publicKey })).toBe(false)
    expect(isSignedBy(token, { alg: other, key })).toBe(false)
    expect(isSignedBy(token, { alg, key: KEYS[other].publicKey })).toBe(false)
  })
})
