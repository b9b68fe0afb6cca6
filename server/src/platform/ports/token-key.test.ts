import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { problemOfTokenKey, publicKeyOf } from './token-key.ts'

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })
const toText = (bytes: Buffer) => bytes.toString('base64url')

function modulus(bits: number, last: number): string {
  const bytes = Buffer.alloc(bits / 8, 0xab)
  bytes[bytes.length - 1] = last
  return toText(bytes)
}

// contract: registerTokenKey › 422 VALIDATION_ERROR for an RSA key by which others can sign, or that takes too long
describe('an RSA key', () => {
  test.each([
    ['an exponent of 0', { e: toText(Buffer.of(0)) }],
    ['an exponent of 1', { e: toText(Buffer.of(1)) }],
    ['an exponent of 2', { e: toText(Buffer.of(2)) }],
    ['an exponent of 3', { e: toText(Buffer.of(3)) }],
    ['an even exponent', { e: toText(Buffer.of(1, 0, 2)) }],
    ['an exponent of 2,001 bit', { e: toText(Buffer.concat([Buffer.alloc(251, 1)])) }],
    ['an even modulus', { n: modulus(2048, 0xaa) }],
    ['a modulus of 1,024 bit', { n: modulus(1024, 0xab) }],
    ['a modulus of 16,384 bit', { n: modulus(16_384, 0xab) }],
  ])('with %s is refused', (_what, members) => {
    const key = { kid: 'k', alg: 'RS256' as const, publicJwk: { ...RSA, ...members } }
    expect(problemOfTokenKey(key)).toMatch(/RSA key|public JWK/)
    expect(publicKeyOf(key)).toBeUndefined()
  })

  test.each([
    ['as it is made', {}],
    ['with 8,192 bit', { n: modulus(8192, 0xab) }],
  ])('%s is taken', (_what, members) => {
    const key = { kid: 'k', alg: 'RS256' as const, publicJwk: { ...RSA, ...members } }
    expect(problemOfTokenKey(key)).toBeUndefined()
  })
})

const keyOf = (hex: string) => ({
  kid: 'k',
  alg: 'EdDSA' as const,
  publicJwk: { kty: 'OKP', crv: 'Ed25519', x: toText(Buffer.from(hex, 'hex')) },
})

describe('an Ed25519 key', () => {
  const identity = `01${'00'.repeat(31)}`

  test.each([
    identity,
    '00'.repeat(32),
    `${'00'.repeat(31)}80`,
    `ec${'ff'.repeat(30)}7f`,
    `ed${'ff'.repeat(31)}`,
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  ])('that is the point of small order %s is refused', (hex) => {
    expect(problemOfTokenKey(keyOf(hex))).toMatch(/small order|public JWK/)
    expect(publicKeyOf(keyOf(hex))).toBeUndefined()
  })

  test('as it is made is taken', () => {
    const publicJwk = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
    expect(problemOfTokenKey({ kid: 'k', alg: 'EdDSA', publicJwk })).toBeUndefined()
  })
})
