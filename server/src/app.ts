import { BODY_MAX } from '@interview-room/contract/operations/operation.ts'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { boardRoutes } from './api/board/board.ts'
import { chatControlRoutes } from './api/control/chat.ts'
import { clipRoutes } from './api/control/clips.ts'
import { connectionTestControlRoutes } from './api/control/connection-tests.ts'
import { controlAuth } from './api/control/control-auth.ts'
import { dataProtectionRoutes } from './api/control/data-protection.ts'
import { entryControlRoutes } from './api/control/entries.ts'
import { handoutControlRoutes } from './api/control/handouts.ts'
import { liveTextControlRoutes } from './api/control/live-texts.ts'
import { managementRoutes } from './api/control/management.ts'
import { participantControlRoutes } from './api/control/participants.ts'
import { processedRecordingControlRoutes } from './api/control/processed-recordings.ts'
import { recordingContentRoutes } from './api/control/recording-contents.ts'
import { recordingControlRoutes } from './api/control/recordings.ts'
import { reelRoutes } from './api/control/reels.ts'
import { roomEventControlRoutes } from './api/control/room-events.ts'
import { roomControlRoutes } from './api/control/rooms.ts'
import { sandboxControlRoutes } from './api/control/sandbox.ts'
import { sessionControlRoutes } from './api/control/sessions.ts'
import { transcriptionControlRoutes } from './api/control/transcriptions.ts'
import { transcriptRoutes } from './api/control/transcripts.ts'
import { webhookControlRoutes } from './api/control/webhooks.ts'
import { exportRoutes } from './api/files/export-routes.ts'
import { guideRoutes } from './api/guide/guide-routes.ts'
import { type App, decorateRequests } from './api/http/app-types.ts'
import { readBodies, readQuery } from './api/http/body.ts'
import {
  refuseBrokenRequest,
  refuseExpectation,
  refuseOtherThanOneHost,
} from './api/http/broken-request.ts'
import { compressOnce } from './api/http/compress-once.ts'
import { endConnectionsInOrder } from './api/http/end-connections.ts'
import { sendError } from './api/http/errors.ts'
import { refuseSecondCredential } from './api/http/header-values.ts'
import { readLeniently } from './api/http/lenience.ts'
import { limitLoad, turnAway } from './api/http/limit-load.ts'
import { createLoad, type Load } from './api/http/load.ts'
import { lowerCaseIds } from './api/http/lower-case-ids.ts'
import { refuseOtherMethods } from './api/http/method-not-allowed.ts'
import { logRequest, logRequests, requestIdOf } from './api/http/request-log.ts'
import { traceRequests } from './api/http/request-span.ts'
import { admitOnly, listRoutes } from './api/http/route.ts'
import { securityHeaders } from './api/http/security-headers.ts'
import { toRefusal, validatorOptions } from './api/http/validation.ts'
import { describeApi } from './api/openapi/describe-api.ts'
import { openApiRoutes } from './api/openapi/openapi-routes.ts'
import { healthRoutes } from './api/operations/health-routes.ts'
import { createReadiness, type Readiness } from './api/operations/health.ts'
import { metricsRoutes } from './api/operations/metrics-routes.ts'
import { answerNotFound, pageRoutes } from './api/pages/page-routes.ts'
import { jwksRoutes } from './api/provider/jwks.ts'
import { noteMisdirected, providerRoutes } from './api/provider/notifications.ts'
import { commentControlRoutes, commentRoutes } from './api/review/comments.ts'
import { shareControlRoutes, shareRoutes } from './api/review/shares.ts'
import {
  admitViewers,
  answerPages,
  answerPreflights,
  requireScope,
} from './api/review/viewer-auth.ts'
import { chatLiveRoutes } from './api/room/chat.ts'
import { connectionTestLiveRoutes } from './api/room/connection-tests.ts'
import { farewellLiveRoutes } from './api/room/farewell.ts'
import { handoutLiveRoutes } from './api/room/handouts.ts'
import { limitTicketHolders } from './api/room/limit-ticket-holders.ts'
import { requireAdmission, verifyCredentials } from './api/room/live-auth.ts'
import { liveStreamRoutes } from './api/room/live-stream.ts'
import { liveTextRoutes } from './api/room/live-text.ts'
import { liveRoutes } from './api/room/live.ts'
import { moderationLiveRoutes } from './api/room/moderation.ts'
import { questionLiveRoutes } from './api/room/questions.ts'
import { ratingLiveRoutes } from './api/room/rating.ts'
import { recordingLiveRoutes } from './api/room/recordings.ts'
import { respondentTestRoutes } from './api/room/respondent-tests.ts'
import { roomEventLiveRoutes } from './api/room/room-events.ts'
import { stageLiveRoutes } from './api/room/stage.ts'
import type { Scrape } from './domain/monitoring/scrape.ts'
import type { TrustedProxies } from './platform/config/trusted-proxies.ts'
import { type Deps, urgent } from './platform/ports/deps.ts'

export interface AppOptions {
  /** More routes, registered at the root: the local playground comes in this way. */
  plugins?: readonly ((app: FastifyInstance) => Promise<void>)[]
  /** Readiness of the whole process, passed in where the operations port reports it too. */
  readiness?: Readiness
  /** The metrics page, if this port serves it. */
  scrape?: Scrape | undefined
}

const API = '/api/v1'
/** Longer than any id, so that a wrong id is answered only after the key was verified. */
const PARAM_MAX_LENGTH = 4096
const NOTIFICATIONS_POOL_SIZE = 3

/** Longer than a client that keeps sending pauses between requests. Unused without a drain. */
const IDLE_MS = 1_000
/** For requests in flight once the server is closing. */
const REQUESTS_MS = 7_000

/** Routes that a tenant's backend may call, in the order of the contract. */
const CONTROL_PLANE: readonly ((app: App, deps: Deps) => Promise<void>)[] = [
  sessionControlRoutes,
  roomControlRoutes,
  participantControlRoutes,
  entryControlRoutes,
  chatControlRoutes,
  roomEventControlRoutes,
  recordingControlRoutes,
  recordingContentRoutes,
  processedRecordingControlRoutes,
  clipRoutes,
  reelRoutes,
  commentControlRoutes,
  shareControlRoutes,
  transcriptionControlRoutes,
  transcriptRoutes,
  liveTextControlRoutes,
  handoutControlRoutes,
  connectionTestControlRoutes,
  managementRoutes,
  dataProtectionRoutes,
  webhookControlRoutes,
  sandboxControlRoutes,
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
  listRoutes(app)
  decorateRequests(app)
  const headers = securityHeaders(deps.config)
  const load = createLoad(deps.config.requestsMax)
  app.decorateRequest('isTurnedAway', false)
  answerPages(app)
  turnAway(app, load, headers)
  traceRequests(app, deps.tracer)
  logRequests(app, deps.metrics)
  app.server.on('checkExpectation', refuseExpectation)
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers).header('x-request-id', request.id)
    // Range is defined only for GET (RFC 9110, 14.2), but the file plugin would honour it on other methods.
    if (request.method === 'HEAD') delete request.raw.headers.range
    refuseOtherThanOneHost(request.raw)
    refuseSecondCredential(request.raw)
    done()
  })
  lowerCaseIds(app)
  readBodies(app)
  app.addHook('preValidation', readQuery)
  app.addHook('preValidation', readLeniently)
  // Presenters build bodies field by field; the response schemas are for types and OpenAPI.
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler(sendError)
  answerNotFound(app, deps)
  noteMisdirected(app, deps)
  answerPreflights(app)
  refuseOtherMethods(app, { maxParamLength: PARAM_MAX_LENGTH })

  const description = describeApi(app, deps.config)
  await app.register(async (docs: App) => {
    compressOnce(docs)
    openApiRoutes(docs, description)
    guideRoutes(docs, deps, description)
  })
  healthRoutes(app, readiness)
  await app.register(async (health: App) => healthRoutes(health, readiness), { prefix: API })
  const { metricsToken } = deps.config
  if (scrape !== undefined && metricsToken !== undefined) metricsRoutes(app, scrape, metricsToken)
  await pageRoutes(app, deps)
  await exportRoutes(app, deps)
  await registerPlanes(app, deps, load)
  for (const plugin of plugins) await plugin(app)
  // A local start serves its playground at this address.
  if (!app.hasRoute({ method: 'GET', url: '/' }))
    app.get('/', async (_request, reply) => reply.redirect('/docs/'))
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
    trustProxy: trustedBy(config.trustProxy),
    bodyLimit: BODY_MAX.bytes,
    routerOptions: { maxParamLength: PARAM_MAX_LENGTH },
    ajv: validatorOptions,
    schemaErrorFormatter: toRefusal,
    // Addresses that cannot be read pass no hook.
    frameworkErrors: (error, request, reply) => {
      void reply.headers({ ...securityHeaders(config), 'x-request-id': request.id })
      sendError(error, request, reply)
      logRequest(request, reply)
    },
    clientErrorHandler: refuseBrokenRequest,
    // Requests that still arrive while closing are answered. Their connection is closed after the answer.
    return503OnClosing: false,
    // Longer than a balancer's timeout, so that we never close a connection that it is about to use.
    keepAliveTimeout: 65_000,
    requestTimeout: 30_000,
    // Our own code refuses a missing Host, in the envelope. Times are enforced when connections are checked.
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      requireHostHeader: false,
    },
  })
}

/** Addresses before the trusted hops are only what the caller claims. */
function trustedBy(proxies: TrustedProxies) {
  if (typeof proxies !== 'number') return [...proxies]
  return proxies === 0 ? false : (_address: string, hop: number) => hop < proxies
}

async function registerPlanes(app: App, deps: Deps, load: Load): Promise<void> {
  const admitViewer = admitViewers(deps)
  await app.register(
    async (control: App) => {
      admitOnly(control, 'control')
      const checkCredentials = controlAuth(urgent(deps), admitViewer)
      limitLoad(control, load, () => control.addHook('onRequest', checkCredentials))
      requireScope(control, deps)
      for (const routes of CONTROL_PLANE) await routes(control, deps)
    },
    { prefix: API },
  )
  await app.register(
    async (live: App) => {
      admitOnly(live, 'room')
      limitLoad(live, load, () => verifyCredentials(live, deps))
      limitTicketHolders(live)
      requireAdmission(live, deps)
      await liveRoutes(live, deps)
      await liveStreamRoutes(live, deps)
      await farewellLiveRoutes(live, deps)
      await chatLiveRoutes(live, deps)
      await handoutLiveRoutes(live, deps)
      await moderationLiveRoutes(live, deps)
      await questionLiveRoutes(live, deps)
      await liveTextRoutes(live, deps)
      await ratingLiveRoutes(live, deps)
      await stageLiveRoutes(live, deps)
      await recordingLiveRoutes(live, deps)
      await roomEventLiveRoutes(live, deps)
      await connectionTestLiveRoutes(live, deps)
      await respondentTestRoutes(live, deps)
    },
    { prefix: API },
  )
  await app.register(
    async (board: App) => {
      admitOnly(board, 'board')
      await boardRoutes(board, deps)
    },
    { prefix: API },
  )
  await app.register(
    async (review: App) => {
      admitOnly(review, 'review')
      limitLoad(review, load, () => review.addHook('onRequest', admitViewer))
      requireScope(review, deps)
      await commentRoutes(review, deps)
      await shareRoutes(review, deps)
    },
    { prefix: API },
  )
  // Notifications of the provider are stored under any load: they are sent once, and not repeated for long.
  const db = deps.db.beside({ name: 'notifications', poolSize: NOTIFICATIONS_POOL_SIZE })
  app.addHook('onReady', () => db.warm())
  const published = { ...deps, db }
  await app.register(async (provider: App) => providerRoutes(provider, published), { prefix: API })
  await app.register(async (keys: App) => jwksRoutes(keys, deps))
  await app.register(async (keys: App) => jwksRoutes(keys, deps), { prefix: API })
}
