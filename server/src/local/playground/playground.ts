import { createRequire } from 'node:module'
import { BOARD_LINK_HOURS } from '@interview-room/contract/board.ts'
import { TRANSCRIPTION_ENGINES } from '@interview-room/contract/vocabulary.ts'
import { ApiError } from '@interview-room/sdk/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from '../../api/http/errors.ts'
import { sendPage } from '../../api/pages/pages.ts'
import { createBoardTokens } from '../../domain/board/board-token.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { issueApiKey } from '../../platform/tenants/issue-api-key.ts'
import { type BookedRooms, openBookedRooms } from './booked-rooms.ts'
import { connectionTestRoutes } from './connection-test-routes.ts'
import { type LocalFile, WEBHOOK_PATH } from './demo-tenant.ts'
import { mayUsePlayground } from './guard.ts'
import { recordingRoutes } from './recording-routes.ts'
import { roomRoutes } from './room-routes.ts'
import { createTenantClient, type TenantClient } from './tenant-client.ts'
import { createWebhookLog, type WebhookLog } from './webhook-log.ts'
import { webhookStream } from './webhook-stream.ts'

export interface PlaygroundOptions {
  local: LocalFile
  dataDir: string
  /** True: for everybody who reaches the service, not for this machine only. */
  isOpen: boolean
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
const CONSOLE_KEY_LIFE_MS = 12 * 60 * 60 * 1000
/** One that ends sooner is replaced. */
const CONSOLE_KEY_REST_MS = 60 * 60 * 1000

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
      page.setErrorHandler(passOn)
      page.addHook('onRequest', async ({ method, headers, socket }) => {
        const visit = { method, headers, peer: socket.remoteAddress }
        if (!mayUsePlayground(visit, { config, isOpen: options.isOpen })) {
          throw new ServiceError('NOT_FOUND')
        }
      })
      page.get('/', async (_request, reply) => sendPage(reply, deps, { file: 'playground.html' }))
      boardRoute(page, parts)
      consoleKeyRoute(page, parts)
      stateRoutes(page, parts)
      roomRoutes(page, API, parts)
      recordingRoutes(page, API, parts)
      connectionTestRoutes(page, API, parts)
      webhookStream(page, `${API}/webhooks/stream`, parts.webhooks)
    })
  }
}

/** What the API refused the demo tenant, its page is refused. */
function passOn(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!(error instanceof ApiError)) return sendError(error, request, reply)
  const { code, details } = error
  sendError(
    new ServiceError(code, details.length > 0 ? { details: [...details] } : {}),
    request,
    reply,
  )
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
    engines: TRANSCRIPTION_ENGINES.filter(
      (engine) => deps.config.transcription.bindings[engine] !== 'none',
    ),
    version: VERSION,
  }))
}

/** A key for the console, which the page keeps for its tab and never puts into an address. */
function consoleKeyRoute(app: FastifyInstance, { local, deps }: Playground): void {
  const { db, clock } = deps
  let issued: { apiKey: string; expiresAt: Date } | undefined
  app.post(`${API}/console-key`, async () => {
    const now = clock()
    if (issued === undefined || issued.expiresAt <= new Date(now.getTime() + CONSOLE_KEY_REST_MS)) {
      const expiresAt = new Date(now.getTime() + CONSOLE_KEY_LIFE_MS)
      const { apiKey } = await issueApiKey(db, {
        tenantId: local.tenant_id,
        note: 'Playground',
        scopes: ['control', 'manage'],
        expiresAt,
      })
      issued = { apiKey, expiresAt }
    }
    return { api_key: issued.apiKey }
  })
}

/** Leads to the operator's board of the demo tenant, by a link of its own each time. */
function boardRoute(app: FastifyInstance, { local, deps }: Playground): void {
  const boardTokens = createBoardTokens(deps)
  app.get('/playground/board', async (_request, reply) => {
    const { url } = await boardTokens.issue({
      tenantId: local.tenant_id,
      operator: DEMO_OPERATOR,
      displayName: DEMO_OPERATOR,
      lifeSec: BOARD_LINK_HOURS.fallback * 60 * 60,
    })
    return reply.redirect(url)
  })
}
