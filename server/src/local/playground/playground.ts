import { createRequire } from 'node:module'
import { BOARD_LINK_HOURS } from '@interview-room/contract/board.ts'
import { TRANSCRIPTION_ENGINES } from '@interview-room/contract/vocabulary.ts'
import type { FastifyInstance } from 'fastify'
import { sendPage } from '../../api/pages/pages.ts'
import { createBoardTokens } from '../../domain/board/board-token.ts'
import {
  ensureSampleInterview,
  type SampleInterview,
} from '../../domain/sandbox/sample-interview/make-sample-interview.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { issueApiKey } from '../../platform/tenants/issue-api-key.ts'
import { createApiKeyVerifier } from '../../platform/tenants/verify-api-key.ts'
import { endpointsOf, secretsOf } from '../../platform/webhooks/manage-webhooks.ts'
import { type LocalFile, WEBHOOK_PATH } from './demo-tenant.ts'
import { mayUsePlayground } from './guard.ts'
import { linkRoute } from './link-route.ts'
import { createWebhookLog, type WebhookLog } from './webhook-log.ts'
import { webhookStream } from './webhook-stream.ts'

export interface PlaygroundOptions {
  local: LocalFile
  dataDir: string
  /** True: open to everybody who can reach the service, not only to this machine. */
  isOpen: boolean
}

interface Playground extends PlaygroundOptions {
  deps: Deps
}

const { version: VERSION } = createRequire(import.meta.url)('../../../package.json') as {
  version: string
}
const DEMO_OPERATOR = 'Demo operator'
const API = '/playground/api'
const KEY_LIFE_MS = 12 * 60 * 60 * 1000
/** A key that ends sooner than this is replaced. */
const KEY_REST_MS = 60 * 60 * 1000

/**
 * The page at `/` of a local installation, the console of the demo tenant, and its routes beside the public API: a
 * key of the tenant, signed links, and the received webhooks.
 */
export function playground(deps: Deps, options: PlaygroundOptions) {
  const { config, clock } = deps
  const { local, isOpen } = options
  const webhooks = createWebhookLog(() => readSecrets(deps, local.tenant_id), clock)
  return async (app: FastifyInstance): Promise<void> => {
    await app.register(async (receiver) => receiverRoutes(receiver, webhooks))
    await app.register(async (page) => {
      page.addHook('onRequest', async ({ method, headers, socket }) => {
        const visit = { method, headers, peer: socket.remoteAddress }
        if (!mayUsePlayground(visit, { config, isOpen })) throw new ServiceError('NOT_FOUND')
      })
      page.get('/', async (_request, reply) => sendPage(reply, deps, { file: 'playground.html' }))
      boardRoute(page, { ...options, deps })
      keyRoute(page, { ...options, deps })
      stateRoute(page, { ...options, deps })
      linkRoute(page, API, local)
      sampleRoute(page, { ...options, deps })
      webhookStream(page, `${API}/webhooks/stream`, webhooks)
    })
  }
}

/** Reads the secrets for each webhook, because the console and the command line rotate and replace them. */
async function readSecrets(
  deps: Pick<Deps, 'db' | 'secretBox'>,
  tenantId: string,
): Promise<string[]> {
  const endpoints = await endpointsOf(deps, tenantId)
  const ours = endpoints.filter(({ url }) => new URL(url).pathname === WEBHOOK_PATH)
  return (await Promise.all(ours.map((endpoint) => secretsOf(deps, endpoint)))).flat()
}

/** The demo tenant's webhook receiver. The signature covers the raw bytes. */
function receiverRoutes(app: FastifyInstance, webhooks: WebhookLog): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => body,
  )
  app.post(WEBHOOK_PATH, async ({ body, headers }, reply) => {
    await webhooks.receive(typeof body === 'string' ? body : '', headers)
    return reply.code(204).send()
  })
}

function stateRoute(app: FastifyInstance, { local, dataDir, deps }: Playground): void {
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

/** The API key of the page. It stays the same until it is about to end, or somebody has revoked it. */
function keyRoute(app: FastifyInstance, { local, deps }: Playground): void {
  const { db, clock } = deps
  const verify = createApiKeyVerifier(deps)
  let issued: { apiKey: string; expiresAt: Date } | undefined

  async function works(apiKey: string): Promise<boolean> {
    try {
      await verify(`ApiKey ${apiKey}`)
      return true
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'UNAUTHORIZED') return false
      throw error
    }
  }

  app.post(`${API}/key`, async () => {
    const now = clock()
    const isLong = issued !== undefined && issued.expiresAt.getTime() > now.getTime() + KEY_REST_MS
    if (issued === undefined || !isLong || !(await works(issued.apiKey))) {
      const expiresAt = new Date(now.getTime() + KEY_LIFE_MS)
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

/** Makes the sample interview with the first request. Requests at the same time share it. */
function sampleRoute(app: FastifyInstance, { local, deps }: Playground): void {
  const tenantLimits = { requestsPerMin: null, roomsMax: null, storedBytesMax: null }
  let making: Promise<SampleInterview> | undefined
  app.post(`${API}/sample`, async () => {
    making ??= ensureSampleInterview(deps, { tenantId: local.tenant_id, tenantLimits }).finally(
      () => (making = undefined),
    )
    const { recordingId } = await making
    return { recording_id: recordingId }
  })
}

/** Redirects to the operator's board of the demo tenant, with a new link each time. */
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
