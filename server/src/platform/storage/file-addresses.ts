import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../lib/clock.ts'
import type { SignedGet, SignedPut, SignedUrl } from '../ports/storage.ts'
import { checkObjectKey } from './object-key.ts'
import { checkExpiry } from './signed-time.ts'

/** The signed parameters of an address, which say what its bearer may do. */
type Grant = Record<string, string>

type Method = 'GET' | 'PUT'

/** Signs addresses of files that we serve ourselves, and reads them again. */
export interface FileAddresses {
  signGet(key: string, options: SignedGet): SignedUrl
  signPut(key: string, options: SignedPut): SignedUrl
  /** Returns the signed parameters; undefined if the address was signed for something else, was altered, or has expired. */
  grantOf(method: Method, key: string, query: Record<string, unknown>): Grant | undefined
}

interface AddressOptions {
  publicUrl: string
  /** 32 bytes, the same on every replica. */
  secretsKey: Buffer
  /** The key before; addresses signed with it are accepted, too. */
  previousSecretsKey?: Buffer | undefined
  clock: Clock
}

/** How the bearer of an address for reading sees the file. */
export function shownBy(grant: Grant): Omit<SignedGet, 'expiresInSec'> {
  const { type = '', name = '', disposition } = grant
  return {
    mime: type,
    fileName: name,
    disposition: disposition === 'inline' ? 'inline' : 'attachment',
  }
}

export function createFileAddresses({
  publicUrl,
  secretsKey,
  previousSecretsKey,
  clock,
}: AddressOptions) {
  const hmacKey = hmacKeyOf(secretsKey)
  const acceptedKeys = [hmacKey, ...(previousSecretsKey ? [hmacKeyOf(previousSecretsKey)] : [])]

  function sign(
    method: Method,
    { key, expiresInSec }: { key: string; expiresInSec: number },
    granted: Grant,
  ): SignedUrl {
    checkObjectKey(key)
    checkExpiry(expiresInSec)
    const expires = Math.floor(clock().getTime() / 1000) + expiresInSec
    const grant = { expires: String(expires), ...granted }
    const signature = signatureOf(hmacKey, { method, key, grant }).toString('base64url')
    const query = new URLSearchParams({ ...grant, signature })
    return {
      url: `${publicUrl}/files/${key}?${query.toString()}`,
      expiresAt: new Date(expires * 1000),
    }
  }

  const addresses: FileAddresses = {
    signGet: (key, { expiresInSec, mime, fileName, disposition }) =>
      sign('GET', { key, expiresInSec }, { type: mime, name: fileName, disposition }),
    signPut: (key, { expiresInSec, maxBytes }) =>
      sign('PUT', { key, expiresInSec }, { max_bytes: String(maxBytes) }),

    grantOf(method, key, { signature, ...rest }) {
      const grant = rest as Grant
      const isText = Object.values(rest).every((value) => typeof value === 'string')
      if (!isText || typeof signature !== 'string') return undefined
      const given = Buffer.from(signature, 'base64url')
      const isSigned = acceptedKeys.some((by) => {
        const right = signatureOf(by, { method, key, grant })
        return given.length === right.length && timingSafeEqual(given, right)
      })
      if (!isSigned) return undefined
      return Number(grant['expires']) * 1000 > clock().getTime() ? grant : undefined
    },
  }
  return addresses
}

function hmacKeyOf(secretsKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secretsKey, '', 'file addresses', 32))
}

/** Over the decoded query in one order: how it is spelled on the way does not matter. */
function signatureOf(
  by: Buffer,
  { method, key, grant }: { method: Method; key: string; grant: Grant },
): Buffer {
  const members = Object.entries(grant).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHmac('sha256', by)
    .update(JSON.stringify([method, key, members]))
    .digest()
}
