import { createHmac, type KeyObject, sign, verify } from 'node:crypto'
import { derToJose, joseToDer } from './ecdsa-signature.ts'

/** The JWS algorithms with which this service signs, or which it accepts. */
type PublicAlg = 'ES256' | 'EdDSA' | 'RS256'

const KIND_OF_KEY: Record<PublicAlg, string> = { ES256: 'ec', EdDSA: 'ed25519', RS256: 'rsa' }

/**
 * Signs a compact JWS. In the calling thread: the way to WebCrypto's thread and back costs more than one of these
 * signatures, and an entry makes two of them and verifies a third.
 *
 * @param header `alg` names what `key` is for: a P-256 private key, or a secret
 */
export function signJws(
  header: { alg: 'ES256' | 'HS256'; typ?: string; kid?: string },
  claims: Record<string, unknown>,
  key: KeyObject,
): string {
  const signed = `${encode(header)}.${encode(claims)}`
  const signature =
    header.alg === 'HS256'
      ? createHmac('sha256', key).update(signed).digest()
      : derToJose(sign('sha256', Buffer.from(signed), key))
  return `${signed}.${signature.toString('base64url')}`
}

/**
 * True if the signature of a compact JWS is valid for this key and algorithm, whatever its header says. It checks nothing else of
 * the header and the claims.
 */
export function isSignedBy(
  token: string,
  { alg, key }: { alg: PublicAlg; key: KeyObject },
): boolean {
  // Node verifies with the algorithm of the key.
  if (key.asymmetricKeyType !== KIND_OF_KEY[alg]) return false
  const end = token.lastIndexOf('.')
  const signed = Buffer.from(token.slice(0, end))
  const given = Buffer.from(token.slice(end + 1), 'base64url')
  const signature = alg === 'ES256' ? joseToDer(given) : given
  if (signature === undefined) return false
  return verify(alg === 'EdDSA' ? null : 'sha256', signed, key, signature)
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
