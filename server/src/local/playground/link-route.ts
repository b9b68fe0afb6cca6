import { Uuid } from '@interview-room/contract/envelope.ts'
import { DISPLAY_NAME_MAX, EXTERNAL_REF_MAX } from '@interview-room/contract/limits.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { roomLink, signParticipantToken } from '@interview-room/sdk/participant-token.ts'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { LocalFile } from './demo-tenant.ts'

const TOKEN_LIFE_SEC = 24 * 60 * 60
const RoomParams = Type.Object({ room_id: Uuid })
const LinkRequest = Type.Object(
  {
    role: Type.Unsafe<Role>({ type: 'string', enum: [...ROLES] }),
    name: Type.String({ minLength: 1, maxLength: DISPLAY_NAME_MAX }),
    external_id: Type.String({ minLength: 1, maxLength: EXTERNAL_REF_MAX }),
  },
  { additionalProperties: false },
)

/** Signs links into rooms of the demo tenant, with its private key: what the tenant's own backend does elsewhere. */
export function linkRoute(app: FastifyInstance, api: string, local: LocalFile): void {
  app.post<{
    Params: { room_id: string }
    Body: { role: Role; name: string; external_id: string }
  }>(
    `${api}/rooms/:room_id/links`,
    { schema: { params: RoomParams, body: LinkRequest } },
    async ({ params: { room_id: roomId }, body }) => {
      const { kid, alg, private_jwk: privateJwk } = local.token_key
      const token = await signParticipantToken({
        key: { kid, alg, privateJwk },
        tenantId: local.tenant_id,
        publicUrl: local.base_url,
        roomId,
        role: body.role,
        name: body.name,
        participant: { externalType: 'User', externalId: body.external_id },
        expiresInSec: TOKEN_LIFE_SEC,
      })
      return { url: roomLink({ connect_url: `${local.base_url}/r/${roomId}` }, token) }
    },
  )
}
