import { createHash } from 'node:crypto'
import { SignJWT } from 'jose'
import type { App } from '../api/http/app-types.ts'
import type { LivekitKey } from '../platform/config/config.ts'
import type { Deps } from '../platform/ports/deps.ts'

/** The token that the provider sends with these bytes. */
export async function signNotification(
  { config }: Pick<Deps, 'config'>,
  body: string,
  { apiKey, apiSecret }: LivekitKey = config.livekit,
): Promise<string> {
  return new SignJWT({ sha256: createHash('sha256').update(body).digest('base64') })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(apiKey)
    .setExpirationTime('5 m')
    .sign(new TextEncoder().encode(apiSecret))
}

/** Sends the bytes as the provider does; answers the status. */
export async function postNotification(
  app: Pick<App, 'inject'>,
  body: string,
  authorization?: string,
): Promise<number> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/provider-events',
    headers: {
      'content-type': 'application/webhook+json',
      ...(authorization === undefined ? {} : { authorization }),
    },
    payload: body,
  })
  return answer.statusCode
}
