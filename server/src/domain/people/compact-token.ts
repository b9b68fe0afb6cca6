import { type JsonValue, parseStrictJson } from '../../platform/lib/strict-json.ts'

/** A compact JWS, read but not verified. */
export interface CompactToken {
  header: Record<string, JsonValue>
  payload: Record<string, JsonValue>
}

/**
 * Parses a compact JWS strictly: three parts in the one canonical spelling of base64url, header and payload strict JSON
 * objects (no duplicate members, no inexact numbers). Returns undefined otherwise.
 */
export function readCompactToken(token: string): CompactToken | undefined {
  const parts = token.split('.')
  const [header, payload, signature] = parts.map((part) => decodeCanonical(part))
  if (parts.length !== 3 || !header || !payload || !signature) return undefined
  const [readHeader, readPayload] = [readObject(header), readObject(payload)]
  if (readHeader === undefined || readPayload === undefined) return undefined
  return { header: readHeader, payload: readPayload }
}

function decodeCanonical(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url')
  // Decoding accepts padding, foreign letters and surplus bits. Comparing with the re-encoded text rejects them.
  return bytes.length > 0 && bytes.toString('base64url') === part ? bytes : undefined
}

function readObject(bytes: Buffer): Record<string, JsonValue> | undefined {
  try {
    const value = parseStrictJson(bytes)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? value : undefined
  } catch {
    return undefined
  }
}
