import { randomUUID } from 'node:crypto'
import { EXTERNAL_REF_MAX } from '@interview-room/contract/limits.ts'
import type { RoomRequest, RoomBody } from '@interview-room/contract/rooms.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { type Client, createClient } from '@interview-room/sdk/client.ts'
import { importJWK, SignJWT } from 'jose'
import { systemClock } from '../../platform/lib/clock.ts'
import type { LocalFile } from './demo-tenant.ts'

const TIMEOUT_MS = 15_000
const TOKEN_LIFE_SEC = 24 * 60 * 60
const MINUTE_MS = 60_000

type RoomSettings = Pick<
  RoomRequest,
  'archive_mode' | 'archive_resolution' | 'transcription_language' | 'transcription_service'
>

export interface Booking extends RoomSettings {
  name: string
  starts_in_min: number
  minutes: number
}

/** The playground is a tenant like any other: it has an API key and speaks HTTP. */
export interface TenantClient {
  api: Client
  book(booking: Booking): Promise<RoomBody>
  link(to: { roomId: string; role: Role; name: string }): Promise<string>
}

/** By which the demo tenant knows a person. */
export function externalIdOf({ role, name }: { role: Role; name: string }): string {
  return `${role}:${name}`.slice(0, EXTERNAL_REF_MAX)
}

/** @param ownUrl where this process itself listens; the public address may lead elsewhere. */
export function createTenantClient(local: LocalFile, ownUrl: string): TenantClient {
  const authorization = `ApiKey ${local.api_key}`
  const api = createClient({ baseUrl: ownUrl, authorization, timeoutMs: TIMEOUT_MS })

  return {
    api,

    book({ name, starts_in_min: startsInMin, minutes, ...settings }) {
      const startsMs = systemClock().getTime() + startsInMin * MINUTE_MS
      const session = {
        external_type: 'Slot',
        external_id: randomUUID(),
        name,
        starts_at: new Date(startsMs).toISOString(),
        ends_at: new Date(startsMs + minutes * MINUTE_MS).toISOString(),
      }
      return api.createRoom({ body: { kind: 'interview', ...settings, session } })
    },

    async link({ roomId, role, name }) {
      const { kid, alg, private_jwk: privateJwk } = local.token_key
      const token = await new SignJWT({
        room_id: roomId,
        role,
        name,
        participant: { external_type: 'User', external_id: externalIdOf({ role, name }) },
      })
        .setProtectedHeader({ alg, kid, typ: 'room-entry+jwt' })
        .setIssuer(local.tenant_id)
        .setAudience(local.base_url)
        .setIssuedAt()
        .setExpirationTime(`${TOKEN_LIFE_SEC} s`)
        .sign(await importJWK(privateJwk, alg))
      return `${local.base_url}/r/${roomId}#token=${token}`
    },
  }
}
