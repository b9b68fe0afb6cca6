import { isIPv6 } from 'node:net'
import path from 'node:path'
import {
  ATTACHMENT_EXTENSIONS,
  CHAT_FILES_PER_MIN,
  CHAT_MESSAGES_PER_MIN,
  CONNECTION_TEST_LIFE_DEFAULT_SEC,
  CONNECTION_TEST_LIFE_MAX_SEC,
  CONNECTION_TEST_LIFE_MIN_SEC,
} from '@interview-room/contract/limits.ts'
import { OUTPUT_MODES, type OutputMode } from '@interview-room/contract/vocabulary.ts'
import { type EnvironmentReader, readEnvironment, readUrls } from '../lib/environment.ts'
import type { TargetRules } from '../lib/target-guard.ts'
import { readDatabaseUrl } from './database-url.ts'
import { findIneffective } from './ineffective.ts'
import { readSpeech, type SpeechConfig } from './live-text-config.ts'
import { readPublicUrl } from './public-url.ts'
import { readStorage, type StorageConfig } from './storage-config.ts'
import { readTargets } from './target-config.ts'
import { readTenantLimits, type TenantLimits } from './tenant-limits.ts'
import { readTracing, type TracingConfig } from './tracing-config.ts'
import { readTrustedProxies, type TrustedProxies } from './trusted-proxies.ts'

/** The output folder of `npm run build` for `web/`. */
export const BUILT_PAGES = path.resolve(import.meta.dirname, '../../../../web/dist')

export type AttachmentExtension = (typeof ATTACHMENT_EXTENSIONS)[number]

type ProcessRole = 'all' | 'api' | 'worker'

export interface LivekitKey {
  apiKey: string
  apiSecret: string
}

/** How long the service waits. Operators cannot set these; tests use other values. */
export interface Waits {
  /** For a concurrent booking with the same reference. */
  claimMs: number
  /** For the first request with the same Idempotency-Key. */
  twinMs: number
  /**
   * For the holder of an Idempotency-Key to renew it while it calls the provider. After that the key is free again. The holder
   * renews it three times in this time.
   */
  keyLeaseMs: number
  /** Between two checks of the rooms of an open board. */
  boardTickMs: number
  /** Between two checks that slow work (a file, a trim, a transcription) is still wanted. A delete ends it. */
  wantedLookMs: number
}

export const WAITS: Waits = {
  claimMs: 6_000,
  twinMs: 10_000,
  keyLeaseMs: 8_000,
  boardTickMs: 1_000,
  wantedLookMs: 2_000,
}

export interface Config extends SpeechConfig {
  role: ProcessRole
  host: string
  port: number
  /** The address that people and tenants use; no slash at the end. Audience of participant tokens. */
  publicUrl: string
  trustProxy: TrustedProxies
  /** The folder of the built pages. */
  pagesDir: string
  /** Requests that one process handles side by side. Further ones get 503. */
  requestsMax: number
  /** Limits of a tenant that has none of its own. */
  tenantLimits: TenantLimits
  databaseUrl: string
  databasePoolSize: number
  /** True if a start migrates the schema; otherwise it waits for `npm run migrate`. */
  migrateAtStart: boolean
  /** 32 bytes: encrypts secrets at rest, signs cursors. */
  secretsKey: Buffer
  /** The previous key, while its encrypted and signed values are still accepted: 32 bytes. */
  previousSecretsKey: Buffer | undefined
  livekit: {
    /** http(s) address of the server API. */
    apiUrl: string
    /** http(s) addresses where recordings are ordered: LiveKit's, or those of recorders beside it. At least one. */
    egressUrls: readonly string[]
    /** Addresses of recorders that get no more orders, but are still asked about running recordings. */
    drainedEgressUrls: readonly string[]
    /** ws(s) address that browsers connect to. */
    publicUrl: string
    apiKey: string
    apiSecret: string
    /** Keys whose signature on notifications is accepted: the key above first, then others during a rotation. */
    acceptedKeys: readonly LivekitKey[]
    /** True if the server reports arrivals to everybody, hidden ones, too, so that they are to be masked. */
    masksArrivals: boolean
    /** Template with `{sid}`, or undefined when there is no inspector. */
    inspectorUrl: string | undefined
  }
  storage: StorageConfig
  /** The folder for temporary files of videos in the making. */
  workDir: string
  /** Path of ffmpeg; undefined if it is looked up. */
  ffmpegPath: string | undefined
  /** Videos that one process works on side by side. */
  videoJobsMax: number
  /** The addresses that webhooks may be sent to, and key sets fetched from. */
  webhooks: { targets: TargetRules }
  tokenLeewaySec: number
  /** Lifetime of the URL of a chat attachment, in seconds. */
  chatAttachmentUrlSec: number
  chat: {
    /** Limits of one participant in any minute. */
    messagesPerMin: number
    filesPerMin: number
    /** Extensions of accepted files. */
    attachmentTypes: readonly AttachmentExtension[]
  }
  /** How long a connection test may be started and run unless the tenant says otherwise, in seconds. */
  connectionTestLifeSec: number
  /** How long the answers of an Idempotency-Key are kept, in seconds. */
  idempotencyRetentionSec: number
  /** How many days admissions keep device and address. */
  admissionRetentionDays: number
  /** How many days issued addresses of files stay in the access log; undefined for no limit. */
  accessLogRetentionDays: number | undefined
  reconcileEverySec: number
  /** Pause between two probes of media; 0 without any. */
  mediaProbeEverySec: number
  /** After this time, another process takes over the job of one that died. */
  jobLeaseSec: number
  recordings: {
    /** The output of automatic recordings: everybody together, or a file for each person. */
    outputMode: OutputMode
    /** True if the provider delivers captures, from which the service composes recordings itself. */
    fromCaptures: boolean
    /** Recordings that one process composes side by side. */
    compositionsMax: number
  }
  /** After how many days an available recording expires; undefined: never. */
  recordingRetentionDays: number | undefined
  processedRecordings: {
    /** Validity of the address of an upload. */
    uploadUrlLifeSec: number
    /** Pause between clean-ups of what was never completed. */
    sweepEverySec: number
  }
  /** Undefined if nothing is traced. */
  tracing: TracingConfig | undefined
  /** The address at which every process answers for its health and its metrics; undefined for none. */
  operations: { host: string; port: number } | undefined
  /** Required from readers of the metrics; with it, the API's own port has them too. */
  metricsToken: string | undefined
  /** Time after SIGTERM in which the process is not ready but still serves, in seconds. */
  drainSec: number
  logLevel: string
  waits: Waits
  /** Settings that have no effect, one sentence for each. */
  ineffective: readonly string[]
}

export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The settings are not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Addresses at which a process is reachable as `localhost`. */
const LOCAL_HOSTS = new Set(['127.0.0.1', '::1', '0.0.0.0', '::', 'localhost'])

/** IPv6 addresses are written in brackets. */
export function hostInUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host
}

/**
 * Environment -> Config. All problems are reported together, by a `ConfigError`. `.env.example`
 * describes every setting.
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const read = readEnvironment(env)
  const host = read.text('HOST', { fallback: '127.0.0.1' })
  const port = read.integer('PORT', { min: 1, max: 65_535, fallback: 3000 })
  const shownHost = LOCAL_HOSTS.has(host) ? 'localhost' : hostInUrl(host)
  const publicUrl = readPublicUrl(read, `http://${shownHost}:${port}`)
  const dataDir = env['DATA_DIR'] || './data'
  const apiUrl = read.url('LIVEKIT_URL', { schemes: ['http', 'https', 'ws', 'wss'] })
  const config: Config = {
    role: read.word('ROLE', ['all', 'api', 'worker'], 'all'),
    host,
    port,
    publicUrl,
    trustProxy: readTrustedProxies(read),
    pagesDir: path.resolve(read.text('PAGES_DIR', { fallback: BUILT_PAGES })),
    databaseUrl: readDatabaseUrl(read),
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', { min: 2, max: 200, fallback: 16 }),
    migrateAtStart: read.flag('MIGRATE_AT_START', true),
    ...readSecretsKeys(read),
    livekit: {
      apiUrl: apiUrl.replace(/^ws/, 'http'),
      ...readEgressUrls(read, apiUrl),
      publicUrl: read
        .url('LIVEKIT_PUBLIC_URL', { schemes: ['http', 'https', 'ws', 'wss'], fallback: apiUrl })
        .replace(/^http/, 'ws'),
      ...readLivekitKeys(read),
      masksArrivals: read.flag('MASK_ARRIVALS', true),
      inspectorUrl: read.text('LIVEKIT_INSPECTOR_URL', { fallback: '' }) || undefined,
    },
    storage: readStorage(read, dataDir),
    ...readVideos(read, dataDir),
    webhooks: { targets: readTargets(read) },
    tokenLeewaySec: read.integer('TOKEN_LEEWAY_SEC', { min: 0, max: 300, fallback: 60 }),
    chatAttachmentUrlSec: read.integer('CHAT_ATTACHMENT_URL_SEC', {
      min: 60,
      max: 3600,
      fallback: 900,
    }),
    chat: readChat(read),
    connectionTestLifeSec: read.integer('CONNECTION_TEST_LIFE_SEC', {
      min: CONNECTION_TEST_LIFE_MIN_SEC,
      max: CONNECTION_TEST_LIFE_MAX_SEC,
      fallback: CONNECTION_TEST_LIFE_DEFAULT_SEC,
    }),
    ...readRetention(read),
    reconcileEverySec: read.integer('RECONCILE_EVERY_SEC', { min: 1, max: 3600, fallback: 10 }),
    mediaProbeEverySec: read.integer('MEDIA_PROBE_EVERY_SEC', { min: 0, max: 3600, fallback: 300 }),
    jobLeaseSec: read.integer('JOB_LEASE_SEC', { min: 3, max: 600, fallback: 30 }),
    recordings: readRecordings(read),
    processedRecordings: readProcessedRecordings(read),
    ...readSpeech(read),
    ...readOperations(read, host),
    waits: WAITS,
    logLevel: read.word('LOG_LEVEL', LOG_LEVELS, 'info'),
    ineffective: [],
  }
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  return { ...config, ineffective: findIneffective(env, read.asked) }
}

function readEgressUrls(
  read: EnvironmentReader,
  apiUrl: string,
): Pick<Config['livekit'], 'egressUrls' | 'drainedEgressUrls'> {
  const schemes = ['http', 'https', 'ws', 'wss']
  const urls = (name: string, fallback: readonly string[]) =>
    readUrls(read, name, { schemes, fallback }).map((url) => url.replace(/^ws/, 'http'))
  const egressUrls = urls('LIVEKIT_EGRESS_URL', [apiUrl])
  const drainedEgressUrls = urls('LIVEKIT_EGRESS_DRAIN_URL', [])
  if (drainedEgressUrls.some((url) => egressUrls.includes(url))) {
    read.problems.push('LIVEKIT_EGRESS_DRAIN_URL must have no address of LIVEKIT_EGRESS_URL')
  }
  return { egressUrls, drainedEgressUrls }
}

function readSecretsKeys(
  read: EnvironmentReader,
): Pick<Config, 'secretsKey' | 'previousSecretsKey'> {
  const hasPrevious = read.text('SECRETS_KEY_PREVIOUS', { fallback: '' }) !== ''
  return {
    secretsKey: read.bytes('SECRETS_KEY', 32),
    previousSecretsKey: hasPrevious ? read.bytes('SECRETS_KEY_PREVIOUS', 32) : undefined,
  }
}

function readLivekitKeys(
  read: EnvironmentReader,
): Pick<Config['livekit'], 'apiKey' | 'apiSecret' | 'acceptedKeys'> {
  const apiKey = read.text('LIVEKIT_API_KEY', {})
  const apiSecret = read.text('LIVEKIT_API_SECRET', { minLength: 6 })
  const others = read.text('LIVEKIT_ACCEPTED_KEYS', { fallback: '' })
  const pairs = others === '' ? [] : others.split(',').map((pair) => pair.trim())
  const accepted = pairs.map((pair) => /^([^:\s]+):\s*(\S{6,})$/.exec(pair))
  if (accepted.includes(null)) {
    // Without the value, which may hold most of a secret.
    read.problems.push('LIVEKIT_ACCEPTED_KEYS must be key:secret, with commas between several')
  }
  return {
    apiKey,
    apiSecret,
    acceptedKeys: [
      { apiKey, apiSecret },
      ...accepted.flatMap((match) =>
        match === null ? [] : [{ apiKey: match[1] ?? '', apiSecret: match[2] ?? '' }],
      ),
    ],
  }
}

function readOperations(
  read: EnvironmentReader,
  host: string,
): Pick<
  Config,
  'operations' | 'metricsToken' | 'tracing' | 'drainSec' | 'requestsMax' | 'tenantLimits'
> {
  const port = read.integer('OPERATIONS_PORT', { min: 0, max: 65_535, fallback: 0 })
  const operationsHost = read.text('OPERATIONS_HOST', { fallback: host })
  return {
    operations: port === 0 ? undefined : { host: operationsHost, port },
    metricsToken: read.text('METRICS_TOKEN', { fallback: '', minLength: 16 }) || undefined,
    tracing: readTracing(read),
    drainSec: read.integer('DRAIN_SEC', { min: 0, max: 60, fallback: 5 }),
    tenantLimits: readTenantLimits(read),
    requestsMax: read.integer('REQUESTS_MAX', { min: 8, max: 10_000, fallback: 64 }),
  }
}

/** docs/retention.md describes how long each table keeps its rows. */
function readRetention(
  read: EnvironmentReader,
): Pick<
  Config,
  | 'idempotencyRetentionSec'
  | 'admissionRetentionDays'
  | 'accessLogRetentionDays'
  | 'recordingRetentionDays'
> {
  const days = (name: string, fallback: number, min = 0) =>
    read.integer(name, { min, max: 36_500, fallback })
  return {
    idempotencyRetentionSec:
      read.integer('IDEMPOTENCY_RETENTION_HOURS', { min: 1, max: 720, fallback: 24 }) * 3600,
    admissionRetentionDays: days('ADMISSION_RETENTION_DAYS', 90, 3),
    accessLogRetentionDays: days('ACCESS_LOG_RETENTION_DAYS', 365) || undefined,
    recordingRetentionDays: days('RECORDING_RETENTION_DAYS', 0) || undefined,
  }
}

function readChat(read: EnvironmentReader): Config['chat'] {
  const perMin = { min: 1, max: 100_000 }
  return {
    messagesPerMin: read.integer('CHAT_MESSAGES_PER_MIN', {
      ...perMin,
      fallback: CHAT_MESSAGES_PER_MIN,
    }),
    filesPerMin: read.integer('CHAT_FILES_PER_MIN', { ...perMin, fallback: CHAT_FILES_PER_MIN }),
    attachmentTypes: read.words('CHAT_ATTACHMENT_TYPES', ATTACHMENT_EXTENSIONS),
  }
}

function readVideos(
  read: EnvironmentReader,
  dataDir: string,
): Pick<Config, 'workDir' | 'ffmpegPath' | 'videoJobsMax'> {
  return {
    workDir: path.resolve(read.text('WORK_DIR', { fallback: path.join(dataDir, 'work') })),
    ffmpegPath: read.text('FFMPEG_PATH', { fallback: '' }) || undefined,
    videoJobsMax: read.integer('VIDEO_JOBS_MAX', { min: 1, max: 64, fallback: 2 }),
  }
}

function readRecordings(read: EnvironmentReader): Config['recordings'] {
  return {
    outputMode: read.word('RECORDING_OUTPUT_MODE', OUTPUT_MODES, 'composed'),
    // A separate egress address belongs to our recorder, which can capture. LiveKit's own egress cannot.
    fromCaptures: read.flag(
      'RECORDING_FROM_CAPTURES',
      read.text('LIVEKIT_EGRESS_URL', { fallback: '' }) !== '',
    ),
    compositionsMax: read.integer('COMPOSITIONS_MAX', { min: 1, max: 64, fallback: 1 }),
  }
}

function readProcessedRecordings(read: EnvironmentReader): Config['processedRecordings'] {
  const life = { min: 60, max: 604_800, fallback: 3600 }
  const pause = { min: 1, max: 86_400, fallback: 600 }
  return {
    uploadUrlLifeSec: read.integer('UPLOAD_URL_LIFE_SEC', life),
    sweepEverySec: read.integer('PROCESSED_RECORDINGS_SWEEP_EVERY_SEC', pause),
  }
}
