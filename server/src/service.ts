import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type DestinationStream, type Logger, pino } from 'pino'
import { fileRoutes } from './api/files/file-routes.ts'
import { redirectRoutes } from './api/files/redirect-routes.ts'
import { createReadiness } from './api/operations/health.ts'
import {
  type OperationsOptions,
  type OperationsServer,
  startOperationsServer,
} from './api/operations/operations-server.ts'
import { createApp } from './app.ts'
import { createScrape, type Scrape } from './domain/monitoring/scrape.ts'
import { takeSimulated } from './domain/notifications/take-notification.ts'
import { openStorage, type OpenStorage } from './open-storage.ts'
import type { Config } from './platform/config/config.ts'
import { listenProblem } from './platform/config/listen-problem.ts'
import { connectProblem } from './platform/db/connect-problem.ts'
import { createDatabaseClock } from './platform/db/database-clock.ts'
import { type Db, openDb } from './platform/db/db.ts'
import { prepareDatabase } from './platform/db/prepare-database.ts'
import { type Clock, systemClock } from './platform/lib/clock.ts'
import { describeError } from './platform/lib/describe-error.ts'
import { createLineWriter } from './platform/lib/line-writer.ts'
import { createSecretBox } from './platform/lib/secret-box.ts'
import { settlesWithin } from './platform/lib/settles-within.ts'
import { createLivekitMedia } from './platform/media/livekit/livekit-media.ts'
import { createMetrics } from './platform/metrics/metrics.ts'
import { offerPageFiles } from './platform/page-files/page-files.ts'
import type { Deps } from './platform/ports/deps.ts'
import { createPaging } from './platform/ports/paging.ts'
import type { Storage } from './platform/ports/storage.ts'
import { NO_TRACER, type Tracer } from './platform/ports/tracer.ts'
import { createSimulatedMedia } from './platform/sandbox/simulated-media.ts'
import { createSwitchedMedia } from './platform/sandbox/switched-media.ts'
import { ensureServiceKey } from './platform/service-keys/ensure-service-key.ts'
import { createServiceKeys } from './platform/service-keys/service-keys.ts'
import { createPublishedKeys } from './platform/tenants/published-keys.ts'
import { createTokenKeys } from './platform/tenants/token-keys.ts'
import { openTracer, traceMedia, traceStorage } from './platform/tracing/open-tracer.ts'
import { type Background, repeatingKinds, startBackground } from './worker.ts'

/** Enough for what moderators and tenants end at one time. */
const URGENT_POOL_SIZE = 3

const JOBS_POOL_SIZE = 12
const JOBS_LIMITS = { statementTimeoutMs: 60_000, lockTimeoutMs: 5_000, acquireTimeoutMs: 10_000 }

export type Plugin = (app: FastifyInstance) => Promise<void>

export interface ServiceExtras {
  /** Runs on the migrated database before anything is served; answers more routes. */
  prepare?: (deps: Deps) => Promise<readonly Plugin[]>
  /** Takes the lines of the log; without it they go to standard error. */
  logTo?: DestinationStream
  /** Gives a start up that still waits for the database. */
  giveUp?: AbortSignal
}

/** Grace for running jobs of workers, from the signal on. */
const WORK_MS = 16_500
/** Grace for connections, after the drain: less than a second for idle ones, seven seconds for requests. */
const CLOSE_MS = 10_000
const DATABASE_MS = 2_000
/** Failing checks are logged even if nobody asks for readiness. */
const LOOK_EVERY_MS = 60_000
/** After the machine stood still, its clock is behind for at most this long. */
const MEASURE_EVERY_MS = 5_000
/**
 * Connections that wait to be accepted, as far as the system allows (`net.core.somaxconn`). Node accepts one in each turn of the event
 * loop, and the system tries further ones again only after one, three and seven seconds.
 */
const BACKLOG = 4_096
/** A scrape neither waits for requests nor keeps one waiting. */
const SCRAPE_LIMITS = { statementTimeoutMs: 2_000, acquireTimeoutMs: 2_500 }

export interface Service {
  /**
   * Stops in order: immediately not ready and taking no more jobs, serving for `DRAIN_SEC` all the same,
   * then closing. Takes at most 20 s, or `DRAIN_SEC` and 13 s where that is more, whatever is in the way.
   */
  close(): Promise<void>
}

/** Wires the adapters to the operations and starts what `config.role` asks for. */
export async function startService(config: Config, extras: ServiceExtras = {}): Promise<Service> {
  const stopping = new AbortController()
  const log = createLog(config, extras.logTo)
  const tracer = await openTracer(config, log)
  const databaseClock = createDatabaseClock()
  const opened = openStorage(config, databaseClock.now)
  const deps = buildDeps(config, {
    storage: opened.storage,
    log,
    tracer,
    clock: databaseClock.now,
    stopping: stopping.signal,
  })
  const { db } = deps
  const jobsDb = db.beside({ name: 'jobs', poolSize: JOBS_POOL_SIZE, ...JOBS_LIMITS })
  const scrape = openScrape(deps, jobsDb)
  let stopLooking: (() => void) | undefined
  let background: Background | undefined
  let app: FastifyInstance | undefined
  let operations: OperationsServer | undefined
  let isServing = false
  // Uses this machine's own clock, because its offset is one of the findings.
  const readiness = createReadiness({ ...deps, clock: systemClock }, () => isServing)

  async function close(): Promise<void> {
    stopping.abort()
    stopLooking?.()
    const hasWorked = settlesWithin(Promise.resolve(background?.stop()), WORK_MS)
    if (isServing && app !== undefined) await delay(config.drainSec * 1000)
    const hasClosed = settlesWithin(Promise.resolve(app?.close()), CLOSE_MS)
    if (!(await hasClosed)) deps.log.warn('connections closed after the shutdown timeout')
    if (!(await hasWorked))
      deps.log.warn('work aborted after the shutdown timeout: another worker takes it over')
    // Spans of the last answers and jobs; beside the database, so that a collector that hangs costs nothing more.
    await Promise.all([settlesWithin(db.end(), DATABASE_MS), tracer.close()])
    await operations?.close()
  }

  try {
    // First, so that a probe sees why nothing else answers yet.
    operations = await openOperations(config, { readiness, scrape })
    for (const problem of config.ineffective) log.warn(problem)
    await prepareDatabase(deps, extras.giveUp)
    deps.db.watch()
    await databaseClock.measure(db)
    await ensureServiceKey(deps)
    const plugins = (await extras.prepare?.(deps)) ?? []
    if (config.role !== 'worker') {
      await offerPages(deps)
      app = await createApp(deps, {
        readiness,
        scrape,
        plugins: [...storageRoutes(opened), ...plugins],
      })
      await listen(app, deps)
    }
    // Background work has connections of its own, and more time.
    if (config.role !== 'api') background = await startBackground({ ...deps, db: jobsDb })
    isServing = true
    stopLooking = look({ readiness, measure: () => databaseClock.measure(db) })
    return { close }
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}

/** Without offered files, this process still serves its own pages. */
async function offerPages(deps: Pick<Deps, 'db' | 'config' | 'log'>): Promise<void> {
  await offerPageFiles(deps).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'files of the pages are not kept for other processes')
  })
}

function openScrape(deps: Deps, jobsDb: Db): Scrape {
  const { db, urgentDb, metrics } = deps
  return createScrape({
    metrics,
    db: db.beside({ name: 'metrics', poolSize: 1, ...SCRAPE_LIMITS }),
    pools: { main: db, urgent: urgentDb, jobs: jobsDb },
    repeatingKinds: repeatingKinds(deps),
  })
}

interface Looks {
  readiness: () => Promise<unknown>
  measure: () => Promise<unknown>
}

/** Starts the periodic checks; returns a function that stops them. */
function look({ readiness, measure }: Looks): () => void {
  const looking = [repeat(readiness, LOOK_EVERY_MS), repeat(measure, MEASURE_EVERY_MS)]
  return () => looking.forEach((each) => clearInterval(each))
}

/** Now, and again after each pause. What fails is retried the next time. */
function repeat(look: () => Promise<unknown>, pauseMs: number): NodeJS.Timeout {
  const lookNow = () => void look().catch(() => {})
  lookNow()
  return setInterval(lookNow, pauseMs).unref()
}

async function openOperations(
  { operations, metricsToken }: Config,
  pages: Pick<OperationsOptions, 'readiness' | 'scrape'>,
): Promise<OperationsServer | undefined> {
  if (operations === undefined) return undefined
  const names = { host: 'OPERATIONS_HOST', port: 'OPERATIONS_PORT' }
  try {
    return await startOperationsServer({ ...operations, ...pages, metricsToken })
  } catch (error) {
    throw listenProblem(error, { ...operations, names })
  }
}

/** Opens the connections first, so that no request waits for one. */
async function listen(app: FastifyInstance, { config, db, urgentDb }: Deps): Promise<void> {
  const { host, port } = config
  await Promise.all([db.warm(), urgentDb.warm()])
  try {
    await app.listen({ host, port, backlog: BACKLOG })
  } catch (error) {
    throw listenProblem(error, { host, port, names: { host: 'HOST', port: 'PORT' } })
  }
}

/** The folder has no server of its own: we serve its files. S3 has no addresses for long: we lead there. */
function storageRoutes({ storage, addresses, folder }: OpenStorage): readonly Plugin[] {
  if (folder === undefined) return [redirectRoutes(storage, addresses)]
  return [fileRoutes({ folder, storage, addresses })]
}

/** `{"level":50` and above begins the line of an error. */
const OF_AN_ERROR = /^\{"level":[5-9]0\b/

/**
 * Lines are written after the request that they report; those of errors, and all lines before them,
 * immediately: the last line of a process that dies is the one that is needed.
 */
export function standardError(): DestinationStream {
  const out = createLineWriter(2)
  process.once('exit', () => out.flush())
  return {
    write(line) {
      out.add(line)
      if (OF_AN_ERROR.test(line)) out.flush()
    },
  }
}

export interface OpenedDeps {
  deps: Deps
  /** Looks at the time of the database, by which the service decides. Throws when the database cannot be asked. */
  prepare(): Promise<void>
  close(): Promise<void>
}

/** The dependencies of a command that runs beside the service, and how to end what they opened. */
export function openDeps(config: Config, system: Clock = systemClock): OpenedDeps {
  const databaseClock = createDatabaseClock(system)
  const clock = databaseClock.now
  const { storage } = openStorage(config, clock)
  const stopping = new AbortController().signal
  const log = createLog(config)
  const deps = buildDeps(config, { storage, log, tracer: NO_TRACER, clock, stopping })
  return { deps, prepare: () => databaseClock.measure(deps.db), close: () => deps.db.end() }
}

interface Outside {
  storage: Storage
  clock: Clock
  log: Logger
  tracer: Tracer
  stopping: AbortSignal
}

function createLog({ logLevel }: Config, logTo = standardError()): Logger {
  return pino({ level: logLevel, serializers: { err: describeError } }, logTo)
}

function buildDeps(config: Config, outside: Outside): Deps {
  const { clock, log, tracer, stopping } = outside
  const storage = traceStorage(tracer, outside.storage)
  const db = openDb({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    applicationName: `interview-room-${config.role}`,
    onChange(loss) {
      const reason = connectProblem(loss, config.databaseUrl) ?? loss?.message
      if (loss !== undefined) log.error({ reason }, 'database unavailable')
      else log.info('database available again')
    },
  })
  const basis = {
    db,
    urgentDb: db.beside({ name: 'urgent', poolSize: URGENT_POOL_SIZE }),
    clock,
    config,
    metrics: createMetrics({ includesNode: true }),
    tracer,
    stopping,
    log,
  }
  const secretBox = createSecretBox(config.secretsKey, config.previousSecretsKey)
  const publishedKeys = createPublishedKeys(basis)
  return {
    ...basis,
    media: createSwitchedMedia(db, {
      real: traceMedia(tracer, createLivekitMedia({ ...config.livekit, clock })),
      simulated: createSimulatedMedia({ ...basis, storage, notify: takeSimulated }),
    }),
    storage,
    secretBox,
    serviceKeys: createServiceKeys({ ...basis, secretBox }),
    paging: createPaging(config.secretsKey, config.previousSecretsKey),
    publishedKeys,
    tokenKeys: createTokenKeys({ ...basis, publishedKeys }),
  }
}
