import { createRequire } from 'node:module'
import { BOARD_LINK_HOURS } from '@interview-room/contract/board.ts'
import { Uuid } from '@interview-room/contract/envelope.ts'
import { DISPLAY_NAME_MAX, SESSION_NAME_MAX } from '@interview-room/contract/limits.ts'
import type { RoomBody } from '@interview-room/contract/rooms.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { createBoardLinks } from '../../board/board-link.ts'
import type { Deps } from '../../deps.ts'
import { sendPage } from '../../http/pages.ts'
import { ServiceError } from '../../lib/service-error.ts'
import { type LocalFile, WEBHOOK_PATH } from '../demo-tenant.ts'
import { type BookedRooms, openBookedRooms } from './booked-rooms.ts'
import { type Booking, createTenantClient, type TenantClient } from './tenant-client.ts'
import { createWebhookLog, type WebhookLog } from './webhook-log.ts'
import { webhookStream } from './webhook-stream.ts'

export interface PlaygroundOptions {
  local: LocalFile
  dataDir: string
}

interface Playground extends PlaygroundOptions {
  deps: Deps
  tenant: TenantClient
  rooms: BookedRooms
  webhooks: WebhookLog
}

const { version: VERSION } = createRequire(import.meta.url)('../../../package.json') as {
  version: string
}
const DEMO_OPERATOR = 'Demo operator'
const API = '/playground/api'
const RoomParams = Type.Object({ room_id: Uuid })
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The page at `/` of a local installation, which acts as the demo tenant, and what it calls. */
export function playground(deps: Deps, options: PlaygroundOptions) {
  const { config, clock } = deps
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  const parts: Playground = {
    ...options,
    deps,
    tenant: createTenantClient(options.local, `http://${host}:${config.port}`),
    rooms: openBookedRooms(options.dataDir),
    webhooks: createWebhookLog(options.local.webhook.secret, clock),
  }
  return async (app: FastifyInstance): Promise<void> => {
    await app.register(async (receiver) => receiverRoutes(receiver, parts.webhooks))
    await app.register(async (page) => {
      page.addHook('onRequest', async (request) => refuseStrangers(request, deps))
      page.get('/', async (_request, reply) => sendPage(reply, deps, { file: 'playground.html' }))
      boardRoute(page, parts)
      stateRoutes(page, parts)
      roomRoutes(page, parts)
      webhookStream(page, `${API}/webhooks/stream`, parts.webhooks)
    })
  }
}

/**
 * Whoever reaches these routes acts as the tenant. A page of another site must not, neither by a
 * name of its own that leads here (Host) nor by a form (Sec-Fetch-Site).
 */
function refuseStrangers(
  { headers, method }: FastifyRequest,
  { config }: Pick<Deps, 'config'>,
): void {
  const own = new URL(config.publicUrl).hostname
  const asked = URL.canParse(`http://${headers.host}`)
    ? new URL(`http://${headers.host}`).hostname
    : ''
  const site = headers['sec-fetch-site']
  const isSameSite = site === undefined || site === 'same-origin' || site === 'none'
  if (asked !== own && !LOOPBACK.has(asked)) throw new ServiceError('NOT_FOUND')
  if (method !== 'GET' && !isSameSite) throw new ServiceError('NOT_FOUND')
}

/** The demo tenant's webhook receiver. The signature is over the raw bytes. */
function receiverRoutes(app: FastifyInstance, webhooks: WebhookLog): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => body,
  )
  app.post(WEBHOOK_PATH, async ({ body, headers }, reply) => {
    webhooks.receive(typeof body === 'string' ? body : '', headers)
    return reply.code(204).send()
  })
}

function stateRoutes(app: FastifyInstance, { local, dataDir, deps }: Playground): void {
  app.get(`${API}/state`, async () => ({
    base_url: local.base_url,
    tenant_id: local.tenant_id,
    key_id: local.api_key.split('.')[0],
    data_dir: dataDir,
    docs_url: `${local.base_url}/docs/`,
    media_url: deps.config.livekit.publicUrl,
    version: VERSION,
  }))
}

/** Leads to the operator's board of the demo tenant, by a link of its own each time. */
function boardRoute(app: FastifyInstance, { local, deps }: Playground): void {
  const links = createBoardLinks(deps)
  app.get('/playground/board', async (_request, reply) => {
    const { url } = await links.issue({
      tenantId: local.tenant_id,
      operator: DEMO_OPERATOR,
      displayName: DEMO_OPERATOR,
      lifeSec: BOARD_LINK_HOURS.fallback * 60 * 60,
    })
    return reply.redirect(url)
  })
}

const NewBooking = Type.Object(
  {
    name: Type.String({ maxLength: SESSION_NAME_MAX }),
    starts_in_min: Type.Integer({ minimum: -60, maximum: 60 * 24 * 30 }),
    minutes: Type.Integer({ minimum: 1, maximum: 60 * 24 }),
  },
  { additionalProperties: false },
)
const NewLink = Type.Object(
  {
    role: Type.Unsafe<Role>({ type: 'string', enum: [...ROLES] }),
    name: Type.String({ minLength: 1, maxLength: DISPLAY_NAME_MAX }),
  },
  { additionalProperties: false },
)

function roomRoutes(app: FastifyInstance, { tenant, rooms }: Playground): void {
  app.get(`${API}/rooms`, async () => {
    const found = await Promise.allSettled(rooms.ids().map((id) => tenant.get(`/rooms/${id}`)))
    return { rooms: found.flatMap((room) => (room.status === 'fulfilled' ? [room.value] : [])) }
  })

  app.post<{ Body: Booking }>(
    `${API}/rooms`,
    { schema: { body: NewBooking } },
    async ({ body }) => {
      const room = await tenant.book(body)
      rooms.add(room.id)
      return { room }
    },
  )

  app.get<{ Params: { room_id: string } }>(
    `${API}/rooms/:room_id`,
    { schema: { params: RoomParams } },
    async ({ params }) => {
      const at = `/rooms/${params.room_id}`
      const room = (await tenant.get(at)) as RoomBody
      const [session, participants, entries] = await Promise.all([
        room.session === null ? null : tenant.get(`/sessions/${room.session.id}`),
        tenant.get(`${at}/participants?limit=100`) as Promise<{ items: unknown[] }>,
        tenant.get(`${at}/entry-histories?limit=100`) as Promise<{ items: unknown[] }>,
      ])
      return { room, session, participants: participants.items, entries: entries.items }
    },
  )

  app.post<{ Params: { room_id: string }; Body: { role: Role; name: string } }>(
    `${API}/rooms/:room_id/links`,
    { schema: { params: RoomParams, body: NewLink } },
    async ({ params, body }) => ({ url: await tenant.link({ roomId: params.room_id, ...body }) }),
  )

  app.post<{ Params: { room_id: string } }>(
    `${API}/rooms/:room_id/close`,
    { schema: { params: RoomParams } },
    async ({ params }) => ({ room: await tenant.close(params.room_id) }),
  )
}
