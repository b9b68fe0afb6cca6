import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { importJWK, SignJWT } from 'jose'
import type { LocalFile } from './service.ts'

export type RoleWord = 'moderator' | 'panelist' | 'observer' | 'platform_observer' | (string & {})

export interface TokenOptions {
  roomId: string
  role: RoleWord
  name: string
  externalId?: string
  /** Seconds from now; negative for a token that is over. */
  expiresInSec?: number
  claims?: Record<string, unknown>
}

export interface Room {
  id: string
  status: string
  connect_url: string
  session: { id: string; status: string }
}

export interface Entry {
  id: number
  participant_id: string | null
  name: string
  role: string
  browser_name: string | null
  platform_name: string | null
  ip_address: string | null
  entered_at: string
  left_at: string | null
  duration_sec: number | null
}

export interface Booking {
  startsInMin?: number
  minutes?: number
  name?: string
  /**
   * More members of the body of `POST /rooms`. Recorded by hand only, unless told otherwise: a recording
   * that no test looks at costs the machine as much as one that is looked at.
   */
  room?: Record<string, unknown>
}

/** Nothing is said of the recording: the service's own default. */
export const AS_BY_DEFAULT = { archive_mode: undefined }

const MINUTE_MS = 60_000

async function data<T>(answer: Response): Promise<T> {
  const body = (await answer.json()) as { success: boolean; data: T }
  if (!body.success) throw new Error(`refused with ${answer.status}: ${JSON.stringify(body)}`)
  return body.data
}

const TRIES_MAX = 10
const PAUSE_MS = 1000

/** As the contract has it: 502 and 503 pass, and whoever was answered so comes again. */
async function patiently(ask: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask()
    const isBusy = answer.status === 502 || answer.status === 503
    if (!isBusy || tries === TRIES_MAX) return answer
    await delay(PAUSE_MS)
  }
}

/** A tenant's backend: nothing but its keys and HTTP. */
export function actAsTenant(local: LocalFile) {
  const booked: string[] = []

  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${local.base_url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `ApiKey ${local.api_key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    })
  }

  async function knock(roomId: string, token: string): Promise<Response> {
    return fetch(`${local.base_url}/api/v1/rooms/${roomId}/live/entry`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(20_000),
    })
  }

  return {
    call,

    /** Books an interview that runs now unless told otherwise. */
    async book({
      startsInMin = 0,
      minutes = 60,
      name = 'End to end',
      room = {},
    }: Booking = {}): Promise<Room> {
      const startsAt = Date.now() + startsInMin * MINUTE_MS
      const body = {
        kind: 'interview',
        archive_mode: 'manual',
        ...room,
        session: {
          external_type: 'Slot',
          external_id: randomUUID(),
          name,
          starts_at: new Date(startsAt).toISOString(),
          ends_at: new Date(startsAt + minutes * MINUTE_MS).toISOString(),
        },
      }
      const made = await data<Room>(await patiently(() => call('POST', '/rooms', body)))
      booked.push(made.id)
      return made
    },

    /** Closes every room that was booked here; one that is over already stays so. */
    async closeAll(): Promise<void> {
      for (const id of booked)
        await call('POST', `/rooms/${id}/close`, { reason: 'tests are over' })
    },

    async room(id: string): Promise<Room> {
      return data<Room>(await call('GET', `/rooms/${id}`))
    },

    async session(id: string): Promise<{ access_token: string }> {
      return data(await call('GET', `/sessions/${id}`))
    },

    async close(id: string): Promise<Room> {
      return data<Room>(
        await patiently(() => call('POST', `/rooms/${id}/close`, { reason: 'done' })),
      )
    },

    async entries(roomId: string): Promise<Entry[]> {
      const page = await data<{ items: Entry[] }>(
        await call('GET', `/rooms/${roomId}/entry-histories?limit=100`),
      )
      return page.items
    },

    async participants(
      roomId: string,
    ): Promise<{ id: string; role: string; display_name: string }[]> {
      const page = await data<{ items: { id: string; role: string; display_name: string }[] }>(
        await call('GET', `/rooms/${roomId}/participants?limit=100`),
      )
      return page.items
    },

    async signToken(options: TokenOptions): Promise<string> {
      const key = await importJWK(local.token_key.private_jwk, local.token_key.alg)
      const nowSec = Math.floor(Date.now() / 1000)
      const expiresInSec = options.expiresInSec ?? 3600
      return new SignJWT({
        room_id: options.roomId,
        role: options.role,
        name: options.name,
        participant: { external_type: 'User', external_id: options.externalId ?? options.name },
        ...options.claims,
      })
        .setProtectedHeader({
          alg: local.token_key.alg,
          kid: local.token_key.kid,
          typ: 'room-entry+jwt',
        })
        .setIssuer(local.tenant_id)
        .setAudience(local.base_url)
        .setIssuedAt(Math.min(nowSec, nowSec + expiresInSec - 60))
        .setExpirationTime(nowSec + expiresInSec)
        .sign(key)
    },

    async link(options: TokenOptions): Promise<string> {
      const token = await this.signToken(options)
      return `${local.base_url}/r/${options.roomId}#token=${token}`
    },

    /** The gate without a page: the room ticket, where the media are, and the token for them. */
    async admit(
      roomId: string,
      token: string,
    ): Promise<{ ticket: string; media: { url: string; token: string } }> {
      return data(await patiently(() => knock(roomId, token)))
    },

    /** The gate without a page: what a browser would be answered. */
    async enter(
      roomId: string,
      token: string,
    ): Promise<{ status: number; code: string | undefined }> {
      const answer = await knock(roomId, token)
      const body = (await answer.json()) as { error?: { code: string } }
      return { status: answer.status, code: body.error?.code }
    },
  }
}

export type Tenant = ReturnType<typeof actAsTenant>
