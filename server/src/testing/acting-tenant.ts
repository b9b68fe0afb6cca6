import { randomUUID } from 'node:crypto'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { json } from '../platform/db/db.ts'
import { uuidv7 } from '../platform/lib/uuid.ts'
import type { Deps } from '../platform/ports/deps.ts'

/** A tenant in the database of a test, with a room and a key to sign participant tokens. */
export interface ActingTenant {
  tenantId: string
  /** A room whose window is open now by default. */
  addRoom(slot?: {
    startsAt?: Date
    endsAt?: Date
  }): Promise<{ roomId: string; accessToken: string }>
  signToken(claims: { roomId: string; role?: string; [claim: string]: unknown }): Promise<string>
  /** A token for a viewer of recordings. */
  signViewerToken(claims: Record<string, unknown>): Promise<string>
}

const HOUR_MS = 3_600_000

/** Creates a tenant, or uses the given one, which must have no token key of its own. */
export async function createActingTenant(
  { db, config, media, clock }: Deps,
  tenantId: string = uuidv7(),
): Promise<ActingTenant> {
  await db`
    insert into tenants (id, name) values (${tenantId}, 'Acting tenant') on conflict do nothing
  `
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  await db`
    insert into token_keys (tenant_id, kid, alg, public_jwk, allowed_roles)
    values (${tenantId}, 'k1', 'ES256', ${json(await exportJWK(publicKey))},
            ${[...ROLES] as Role[]})
  `

  async function sign(type: string, claims: Record<string, unknown>): Promise<string> {
    // Timed by the service's clock: a test's clock may stand still while the machine is busy.
    const nowSec = Math.floor(clock().getTime() / 1000)
    const times = { iat: nowSec, exp: nowSec + HOUR_MS / 1000 }
    return new SignJWT({ iss: tenantId, aud: config.publicUrl, ...times, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: type })
      .sign(privateKey)
  }

  return {
    tenantId,

    async addRoom({ startsAt = new Date(), endsAt = new Date(Date.now() + HOUR_MS) } = {}) {
      const roomId = uuidv7()
      const accessToken = randomUUID()
      const { sid } = await media.ensureRoom({ name: roomId, emptyTimeoutSec: 60, metadata: {} })
      await db`
        insert into rooms (id, tenant_id, kind, archive_mode, archive_resolution, stream_resolution,
                           stream_frame_rate, transcription_language, transcription_service,
                           media_room_sid)
        values (${roomId}, ${tenantId}, 'interview', 'always', '640x480', '320x240', 15, 'ja-JP',
                'engine_c', ${sid})
      `
      await db`insert into room_clocks (room_id) values (${roomId})`
      await db`
        insert into sessions (id, tenant_id, room_id, external_type, external_id, access_token,
                              starts_at, ends_at)
        values (${uuidv7()}, ${tenantId}, ${roomId}, 'Slot', ${randomUUID()}, ${accessToken},
                ${startsAt}, ${endsAt})
      `
      return { roomId, accessToken }
    },

    signToken: async ({ roomId, role = 'panelist', ...claims }) =>
      sign('room-entry+jwt', {
        room_id: roomId,
        role,
        name: 'Hanako',
        participant: { external_type: 'User', external_id: '1' },
        ...claims,
      }),

    signViewerToken: async (claims) =>
      sign('review+jwt', {
        sub: 'researcher-1',
        name: 'Sato',
        may: ['watch', 'comment'],
        jti: randomUUID(),
        ...claims,
      }),
  }
}
