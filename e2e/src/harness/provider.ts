import { readFileSync } from 'node:fs'
import path from 'node:path'
import { decodeJwt, SignJWT } from 'jose'
import type { Service } from './service.ts'
import type { Tenant, TokenOptions } from './tenant.ts'

interface MediaClaims {
  video?: { room: string }
}

/** Puts everybody out at the media provider, past the service: as its operator would. */
export async function removeAllAtProvider(
  { dataDir }: Service,
  tenant: Tenant,
  who: TokenOptions,
): Promise<void> {
  const { media } = await tenant.admit(who.roomId, await tenant.signToken(who))
  const { video } = decodeJwt<MediaClaims>(media.token)
  const admin = await mediaApiToken(dataDir, { roomAdmin: true, room: video?.room })

  async function call<T>(method: string, body: Record<string, unknown>): Promise<T> {
    const service = `${media.url.replace(/^ws/, 'http')}/twirp/livekit.RoomService`
    const answer = await fetch(`${service}/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ room: video?.room, ...body }),
      signal: AbortSignal.timeout(20_000),
    })
    if (!answer.ok) throw new Error(`${method} was answered ${answer.status}`)
    return (await answer.json()) as T
  }

  const { participants } = await call<{ participants: { identity: string }[] }>(
    'ListParticipants',
    {},
  )
  for (const { identity } of participants) await call('RemoveParticipant', { identity })
}

/** Where the embedded media server is called by HTTP. After a kill it may listen elsewhere: the one before it still ends. */
export function mediaUrl(service: Service): string {
  const address = /Media +ws(:\S+)/.exec(service.output())?.[1]
  if (address === undefined) throw new Error('the start does not say where the media are')
  return `http${address}`
}

/** What the service itself calls the embedded media server with. */
export async function mediaApiToken(
  dataDir: string,
  video: Record<string, unknown>,
): Promise<string> {
  const secrets = JSON.parse(readFileSync(path.join(dataDir, 'secrets.json'), 'utf8')) as {
    mediaApiKey: string
    mediaApiSecret: string
  }
  return new SignJWT({ video })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(secrets.mediaApiKey)
    .setExpirationTime('1 minute')
    .sign(new TextEncoder().encode(secrets.mediaApiSecret))
}
