import { readFileSync } from 'node:fs'
import path from 'node:path'
import { decodeJwt, SignJWT } from 'jose'
import type { Service } from './service.ts'
import type { Tenant } from './tenant.ts'
import { SOON_MS } from './wait.ts'

interface MediaClaims {
  video?: { room: string }
}

/** Anything with a service and its provider, such as a test environment. */
interface ServiceOfTenant {
  service: Service
  tenant: Tenant
}

/** A media server, and the key that signs for it. */
export interface MediaServer {
  url: string
  apiKey: string
  apiSecret: string
}

interface AtProvider {
  identity: string
  tracks?: object[]
  permission?: { can_publish?: boolean }
}

type CallRoom = <T>(method: string, body?: Record<string, unknown>) => Promise<T>

// Uses a separate hidden person, because a second admission of the same person would replace the first.
const VISITOR = { role: 'observer', name: 'At the provider' } as const

/** Calls the media provider about one room without the service, as its operator would. */
async function roomAtProvider(
  { service: { dataDir }, tenant }: ServiceOfTenant,
  roomId: string,
): Promise<CallRoom> {
  const { media } = await tenant.admit(roomId, await tenant.signToken({ roomId, ...VISITOR }))
  const { video } = decodeJwt<MediaClaims>(media.token)
  const admin = await mediaApiToken(dataDir, { roomAdmin: true, room: video?.room })
  const service = `${media.url.replace(/^ws/, 'http')}/twirp/livekit.RoomService`

  return async function call<T>(method: string, body: Record<string, unknown> = {}): Promise<T> {
    const answer = await fetch(`${service}/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ room: video?.room, ...body }),
      signal: AbortSignal.timeout(SOON_MS),
    })
    if (!answer.ok) throw new Error(`${method} was answered ${answer.status}`)
    return (await answer.json()) as T
  }
}

async function listAtProvider(call: CallRoom): Promise<AtProvider[]> {
  const { participants } = await call<{ participants: AtProvider[] }>('ListParticipants')
  return participants
}

/** Disconnects everybody. */
export async function removeAllAtProvider(env: ServiceOfTenant, roomId: string): Promise<void> {
  const call = await roomAtProvider(env, roomId)
  for (const { identity } of await listAtProvider(call))
    await call('RemoveParticipant', { identity })
}

/** The number of published tracks. */
export async function countTracks(env: ServiceOfTenant, roomId: string): Promise<number> {
  const everybody = await listAtProvider(await roomAtProvider(env, roomId))
  return everybody.reduce((sum, { tracks = [] }) => sum + tracks.length, 0)
}

/**
 * The HTTP address of the embedded media server. After a kill it may be another one, because the earlier server is still ending.
 */
export function mediaUrl(service: Service): string {
  const address = /Media +ws(:\S+)/.exec(service.output())?.[1]
  if (address === undefined) throw new Error('the start does not say where the media are')
  return `http${address}`
}

/** The embedded media server, with the key that the service itself uses. */
export function embeddedServer(service: Service): MediaServer {
  return { url: mediaUrl(service), ...mediaKeys(service.dataDir) }
}

/** The rights of a connected person at a media server; undefined if it does not know the person. */
export async function permissionAt(
  server: MediaServer,
  { roomId, identity }: { roomId: string; identity: string },
): Promise<{ can_publish?: boolean } | undefined> {
  const token = await signMediaToken(server, { roomAdmin: true, room: roomId })
  const answer = await fetch(`${server.url}/twirp/livekit.RoomService/ListParticipants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ room: roomId }),
    signal: AbortSignal.timeout(SOON_MS),
  })
  const { participants } = (await answer.json()) as { participants: AtProvider[] }
  return participants.find((each) => each.identity === identity)?.permission
}

/** A token like the one with which the service calls the embedded media server. */
export async function mediaApiToken(
  dataDir: string,
  video: Record<string, unknown>,
): Promise<string> {
  return signMediaToken(mediaKeys(dataDir), video)
}

/** Valid for a minute. */
export async function signMediaToken(
  { apiKey, apiSecret }: Pick<MediaServer, 'apiKey' | 'apiSecret'>,
  video: Record<string, unknown>,
): Promise<string> {
  return new SignJWT({ video })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(apiKey)
    .setExpirationTime('1 minute')
    .sign(new TextEncoder().encode(apiSecret))
}

function mediaKeys(dataDir: string): { apiKey: string; apiSecret: string } {
  const secrets = JSON.parse(readFileSync(path.join(dataDir, 'secrets.json'), 'utf8')) as {
    mediaApiKey: string
    mediaApiSecret: string
  }
  return { apiKey: secrets.mediaApiKey, apiSecret: secrets.mediaApiSecret }
}
