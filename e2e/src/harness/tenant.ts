import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { EntryBody } from '@interview-room/contract/live-entry.ts'
import type { RoomBody } from '@interview-room/contract/rooms.ts'
import { createClient } from '@interview-room/sdk/client.ts'
import { ApiError } from '@interview-room/sdk/errors.ts'
import { importJWK, SignJWT } from 'jose'
import type { LocalFile } from './service.ts'
import { SOON_MS } from './wait.ts'

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

/** A room of a slot, as all rooms that are booked here are. */
export type Room = RoomBody & { session: NonNullable<RoomBody['session']> }

export interface Booking {
  startsInMin?: number
  minutes?: number
  name?: string
  /**
   * More members of the body of `POST /rooms`. Recorded manually by default: a recording that no test
   * reads costs the machine as much as one that is read.
   */
  room?: Record<string, unknown>
}

/** Without an archive mode, the service's own default applies. */
export const AS_BY_DEFAULT = { archive_mode: undefined }

const MINUTE_MS = 60_000

const TRIES_MAX = 10
const PAUSE_MS = 1000

/** Repeats a request that gets 502 or 503, as the contract asks of callers. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      const isBusy = error instanceof ApiError && (error.status === 502 || error.status === 503)
      if (!isBusy || tries === TRIES_MAX) throw error
      await delay(PAUSE_MS)
    }
  }
}

function ofSlot(room: RoomBody): Room {
  const { session } = room
  if (session === null) throw new Error(`room ${room.id} has no slot`)
  return { ...room, session }
}

const FULL_PAGE = { limit: 100 }

/** A tenant's backend: nothing but its keys and HTTP. */
export function actAsTenant(local: LocalFile) {
  const booked: string[] = []

  const baseUrl = local.base_url
  const authorization = `ApiKey ${local.api_key}`
  const api = createClient({ baseUrl, authorization })

  /** Calls an address, for checks of the raw response. */
  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: {
        authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(SOON_MS),
    })
  }

  function requestEntry(roomId: string, token: string): Promise<EntryBody> {
    const visitor = createClient({ baseUrl, authorization: `Bearer ${token}` })
    return visitor.enterRoom({ params: { room_id: roomId } })
  }

  return {
    api,
    call,

    /** Books an interview that runs now by default. */
    async book({
      startsInMin = 0,
      minutes = 60,
      name = 'End to end',
      room = {},
    }: Booking = {}): Promise<Room> {
      const startsAt = Date.now() + startsInMin * MINUTE_MS
      const body = {
        kind: 'interview' as const,
        archive_mode: 'manual' as const,
        ...room,
        session: {
          external_type: 'Slot',
          external_id: randomUUID(),
          name,
          starts_at: new Date(startsAt).toISOString(),
          ends_at: new Date(startsAt + minutes * MINUTE_MS).toISOString(),
        },
      }
      const made = await patiently(() => api.createRoom({ body }))
      booked.push(made.id)
      return ofSlot(made)
    },

    /** Closes every room that was booked here; one that is over already stays so. */
    async closeAll(): Promise<void> {
      for (const id of booked)
        await call('POST', `/rooms/${id}/close`, { reason: 'tests are over' })
    },

    async room(id: string): Promise<Room> {
      return ofSlot(await api.getRoom({ params: { room_id: id } }))
    },

    session: (id: string) => api.getSession({ params: { session_id: id } }),

    async close(id: string): Promise<Room> {
      const closing = { params: { room_id: id }, body: { reason: 'done' } }
      return ofSlot(await patiently(() => api.closeRoom(closing)))
    },

    async entries(roomId: string) {
      const params = { room_id: roomId }
      return (await api.listEntryHistories({ params, query: FULL_PAGE })).items
    },

    async participants(roomId: string) {
      const params = { room_id: roomId }
      return (await api.listParticipants({ params, query: FULL_PAGE })).items
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

    /** Admission without a page: the room ticket, the media address and its token. */
    admit: (roomId: string, token: string) => patiently(() => requestEntry(roomId, token)),

    /** Admission without a page: the answer that a browser would get. */
    async enter(
      roomId: string,
      token: string,
    ): Promise<{ status: number; code: string | undefined }> {
      try {
        await requestEntry(roomId, token)
        return { status: 201, code: undefined }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return { status: error.status, code: error.code }
      }
    },
  }
}

export type Tenant = ReturnType<typeof actAsTenant>
