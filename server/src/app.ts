import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { boardRoutes } from './board/board-routes.ts'
import { chatControlRoutes } from './chat/control-routes.ts'
import { chatLiveRoutes } from './chat/live-routes.ts'
import { connectionTestControlRoutes } from './connection-tests/control-routes.ts'
import { connectionTestLiveRoutes } from './connection-tests/live-routes.ts'
import { respondentTestRoutes } from './connection-tests/respondent-routes.ts'
import { type Deps, urgent } from './deps.ts'
import { entryControlRoutes } from './entries/control-routes.ts'
import { factLiveRoutes } from './facts/live-routes.ts'
import { handoutControlRoutes } from './handouts/control-routes.ts'
import { handoutLiveRoutes } from './handouts/live-routes.ts'
import type { App } from './http/app-types.ts'
import { BODY_MAX_BYTES, readBodies, readQuery } from './http/body.ts'
import { refuseBrokenRequest, refuseExpectation, refuseMissingHost } from './http/broken-request.ts'
import { controlAuth } from './http/control-auth.ts'
import { endConnectionsInOrder } from './http/end-connections.ts'
import { sendError } from './http/errors.ts'
import { refuseSecondCredential } from './http/header-values.ts'
import { createReadiness, type Readiness } from './http/health.ts'
import { healthRoutes } from './http/health-routes.ts'
import { limitLoad, turnAway } from './http/limit-load.ts'
import { limitTicketHolders } from './http/limit-ticket-holders.ts'
import { liveAuth } from './http/live-auth.ts'
import { createLoad, type Load } from './http/load.ts'
import { watchMethods } from './http/method-not-allowed.ts'
import { metricsRoutes } from './http/metrics-routes.ts'
import { describeApi } from './http/openapi/describe-api.ts'
import { openApiRoutes } from './http/openapi/openapi-routes.ts'
import { pageRoutes } from './http/page-routes.ts'
import { logRequest, logRequests, requestIdOf } from './http/request-log.ts'
import { securityHeaders } from './http/security-headers.ts'
import { toRefusal, validatorOptions } from './http/validation.ts'
import { ServiceError } from './lib/service-error.ts'
import { liveRoutes } from './live/live-routes.ts'
import { liveStreamRoutes } from './live-stream/stream-routes.ts'
import { moderationLiveRoutes } from './moderation/live-routes.ts'
import type { Scrape } from './monitoring/scrape.ts'
import { providerRoutes } from './notifications/provider-routes.ts'
import { participantControlRoutes } from './participants/control-routes.ts'
import { processedRecordingControlRoutes } from './processed-recordings/control-routes.ts'
import { recordingControlRoutes } from './recordings/control-routes.ts'
import { recordingLiveRoutes } from './recordings/live-routes.ts'
import { roomEventControlRoutes } from './room-events/control-routes.ts'
import { roomControlRoutes } from './rooms/control-routes.ts'
import { jwksRoutes } from './service-keys/jwks-routes.ts'
import { sessionControlRoutes } from './sessions/control-routes.ts'
import { transcriptionControlRoutes } from './transcriptions/control-routes.ts'

export interface AppOptions {
  /** More routes, registered at the root: the local playground comes in this way. */
  plugins?: readonly ((app: FastifyInstance) => Promise<void>)[]
  /** Of the process, where others ask for it too. */
  readiness?: Readiness
  /** The page of metrics, where this port is to have it. */
  scrape?: Scrape | undefined
}

const API = '/api/v1'
const NOTIFICATIONS_POOL_SIZE = 3

/** Longer than a client that keeps sending pauses; not at all where there is no drain. */
const IDLE_MS = 1_000
/** For requests in flight once the server is closing. */
const REQUESTS_MS = 7_000

/** What a tenant's backend may call, in the order of the contract. */
const CONTROL_PLANE: readonly ((app: App, deps: Deps) => Promise<void>)[] = [
  sessionControlRoutes,
  roomControlRoutes,
  participantControlRoutes,
  entryControlRoutes,
  chatControlRoutes,
  roomEventControlRoutes,
  recordingControlRoutes,
  processedRecordingControlRoutes,
  transcriptionControlRoutes,
  handoutControlRoutes,
  connectionTestControlRoutes,
]

/** Deps -> the HTTP server, with every plane in a scope of its own. */
export async function createApp(
  deps: Deps,
  { plugins = [], readiness = createReadiness(deps), scrape }: AppOptions = {},
): Promise<FastifyInstance> {
  const app: App = createServer(deps)
  const endBehindStreams = endConnectionsInOrder(app, {
    idleMs: Math.min(deps.config.drainSec * 1000, IDLE_MS),
    requestsMs: REQUESTS_MS,
  })
  app.decorateRequest('tenantId', '')
  app.decorateRequest('apiKeyId', '')
  const headers = securityHeaders(deps.config)
  const load = createLoad(deps.config.requestsMax)
  app.decorateRequest('isTurnedAway', false)
  turnAway(app, load, headers)
  logRequests(app, deps.metrics)
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ ...headers, 'x-request-id': request.id })
  })
  app.server.on('checkExpectation', refuseExpectation)
  app.addHook('onRequest', async ({ raw }) => {
    refuseMissingHost(raw)
    refuseSecondCredential(raw)
  })
  readBodies(app)
  app.addHook('preValidation', readQuery)
  // Presenters build bodies field by field; the response schemas are for types and OpenAPI.
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler(sendError)
  app.setNotFoundHandler(() => {
    throw new ServiceError('NOT_FOUND')
  })
  const refuseOtherMethods = watchMethods(app)

  const description = await describeApi(app, deps.config)
  await openApiRoutes(app, description)
  healthRoutes(app, readiness)
  const { metricsToken } = deps.config
  if (scrape !== undefined && metricsToken !== undefined) metricsRoutes(app, scrape, metricsToken)
  await pageRoutes(app, deps)
  await registerPlanes(app, deps, load)
  for (const plugin of plugins) await plugin(app)
  refuseOtherMethods()
  endBehindStreams()
  await app.ready()
  return app
}

function createServer({ config, log }: Deps): App {
  // Fastify's own, narrower type: otherwise pino's would be part of the type of the server.
  const loggerInstance: FastifyBaseLogger = log
  return Fastify({
    loggerInstance,
    // Its own lines hold raw addresses; ours are written by `logRequests`.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: requestIdOf,
    // One hop: what the proxy saw. Further ones are only what the caller claims.
    trustProxy: config.trustProxy && ((_address, hop) => hop === 0),
    bodyLimit: BODY_MAX_BYTES,
    // Too long for an id is no reason to answer before the key was asked for.
    routerOptions: { maxParamLength: 4096 },
    ajv: validatorOptions,
    schemaErrorFormatter: toRefusal,
    // Addresses that cannot be read pass no hook.
    frameworkErrors: (error, request, reply) => {
      void reply.headers({ ...securityHeaders(config), 'x-request-id': request.id })
      sendError(error, request, reply)
      logRequest(request, reply)
    },
    clientErrorHandler: refuseBrokenRequest,
    // What still arrives while closing is answered; the connection is closed behind it.
    return503OnClosing: false,
    // Longer than a balancer's, so that it is never us who close a connection it is about to use.
    keepAliveTimeout: 65_000,
    requestTimeout: 60_000,
    // A missing Host is refused by us, in the envelope.
    http: { headersTimeout: 15_000, requireHostHeader: false },
  })
}

async function registerPlanes(app: App, deps: Deps, load: Load): Promise<void> {
  await app.register(
    async (control: App) => {
      limitLoad(control, load)
      control.addHook('onRequest', controlAuth(urgent(deps)))
      for (const routes of CONTROL_PLANE) await routes(control, deps)
    },
    { prefix: API },
  )
  await app.register(
    async (live: App) => {
      limitLoad(live, load)
      liveAuth(live, deps)
      limitTicketHolders(live)
      await liveRoutes(live, deps)
      await liveStreamRoutes(live, deps)
      await chatLiveRoutes(live, deps)
      await handoutLiveRoutes(live, deps)
      await moderationLiveRoutes(live, deps)
      await recordingLiveRoutes(live, deps)
      await factLiveRoutes(live, deps)
      await connectionTestLiveRoutes(live, deps)
      await respondentTestRoutes(live, deps)
    },
    { prefix: API },
  )
  await app.register(async (board: App) => boardRoutes(board, deps), { prefix: API })
  // What the provider tells is stored whatever else goes on: it is told once, and not for long.
  const db = deps.db.beside({ name: 'notifications', poolSize: NOTIFICATIONS_POOL_SIZE })
  const told = { ...deps, db }
  await app.register(async (provider: App) => providerRoutes(provider, told), { prefix: API })
  await app.register(async (keys: App) => jwksRoutes(keys, deps))
  await app.register(async (keys: App) => jwksRoutes(keys, deps), { prefix: API })
}
