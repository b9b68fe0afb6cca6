import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A secret as the tenant gets it: `whsec_` and 32 random bytes in base64 (Standard Webhooks 1.0). */
export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

export interface SignedMessage {
  id: string
  timestampSec: number
  body: string
}

/** The `webhook-signature` header: one signature per valid secret, the newest first. */
export function signatureHeader(
  { id, timestampSec, body }: SignedMessage,
  secrets: readonly string[],
): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      const mac = createHmac('sha256', key).update(`${id}.${timestampSec}.${body}`)
      return `v1,${mac.digest('base64')}`
    })
    .join(' ')
}
