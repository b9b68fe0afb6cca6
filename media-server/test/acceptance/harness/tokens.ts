import { AccessToken, type VideoGrant } from 'livekit-server-sdk'

export interface TokenRequest {
  room: string
  identity: string
  name?: string
  metadata?: string
  grant?: VideoGrant
  /** The kind of participant (default `standard`). */
  kind?: string
  /** Seconds of validity; a negative number signs an expired token. */
  ttlSec?: number
}

export async function signToken(
  keys: { apiKey: string; apiSecret: string },
  request: TokenRequest,
): Promise<string> {
  const token = new AccessToken(keys.apiKey, keys.apiSecret, {
    identity: request.identity,
    ttl: request.ttlSec ?? 600,
    ...(request.name === undefined ? {} : { name: request.name }),
    ...(request.metadata === undefined ? {} : { metadata: request.metadata }),
  })
  if (request.kind !== undefined) token.kind = request.kind
  token.addGrant({ roomJoin: true, room: request.room, ...request.grant })
  return token.toJwt()
}
