import type { Config } from '../config/config.ts'
import { isOfCertificate, refusalState } from '../db/connect-problem.ts'
import { requireWrites } from '../db/require-writes.ts'
import { DatabaseLost } from '../db/unavailable.ts'
import { FREE_MIN_BYTES, freeBytesIn } from '../lib/free-space.ts'
import { inTime } from '../lib/settles-within.ts'
import { findFfmpeg } from '../media-files/find-ffmpeg.ts'
import { withWorkspace } from '../media-files/workspace.ts'
import type { Deps } from '../ports/deps.ts'
import { MediaError } from '../ports/media.ts'
import { StorageError } from '../ports/storage.ts'
import { returnsGiven } from '../storage/returned-bytes.ts'
import { storageFault } from '../storage/storage-fault.ts'
import { type Check, fail, ok, type Outcome, warn } from './check.ts'
import { readRecorderHealth } from './recorder-health.ts'

type PartDeps = Pick<Deps, 'urgentDb' | 'media' | 'storage' | 'config' | 'metrics'>

const PROBE_TIMEOUT_MS = 2_000

/** The parts that requests need, asked for each readiness. */
export const PART_CHECKS: readonly Check<PartDeps>[] = [
  {
    name: 'database:responseTime',
    // A process with much to do is ready all the same: its requests' connections are not asked for one.
    ask: ({ urgentDb }) => passing(requireWrites(urgentDb)),
    when: {
      readiness: 'second',
      doctor: false,
      unanswered: (error) => fail(reasonForDatabase(error)),
    },
  },
  {
    name: 'media:responseTime',
    ask: ({ media }) => passing(media.check()),
    when: {
      readiness: 'second',
      doctor: false,
      unanswered: (error) => warn(reasonForMedia(error)),
    },
  },
  {
    name: 'storage:responseTime',
    ask: ({ storage }) => passing(storage.check()),
    when: {
      readiness: 'second',
      doctor: false,
      unanswered: (error) => warn(reasonForStorage(error)),
    },
  },
  {
    name: 'storage:roundTrip',
    ask: checkRoundTrip,
    passes: 'the storage returns what it is given',
    // A write costs money. Whether the storage answers is the matter of the check before.
    when: { readiness: 'minute', doctor: false },
  },
  {
    name: 'recorders:responseTime',
    ask: ({ config }) => passing(Promise.all(recordersOf(config).map(askRecorder))),
    when: {
      readiness: 'second',
      doctor: false,
      skip: unlessRecorders,
      unanswered: () =>
        warn('A recorder does not answer or cannot record: npm run doctor names it.'),
    },
  },
  {
    name: 'recorders:delivery',
    ask: checkDeliveries,
    passes: 'every recorder delivers what it records',
    when: {
      readiness: 'second',
      doctor: false,
      skip: unlessRecorders,
      // The matter of the check before.
      unanswered: () => ok('a recorder does not answer'),
    },
  },
]

async function checkRoundTrip({ storage }: PartDeps): Promise<Outcome | undefined> {
  if (await returnsGiven(storage)) return undefined
  return warn('The storage returns other bytes than it is given.')
}

async function passing(answer: PromiseLike<unknown>): Promise<undefined> {
  await answer
}

/** The addresses of our own recorders, without LiveKit's. Its egress workers have no address, and LiveKit lists none. */
export function recordersOf({ livekit }: Config): string[] {
  return livekit.egressUrls.filter((url) => url !== livekit.apiUrl)
}

function unlessRecorders({ config }: Pick<Deps, 'config'>): string | undefined {
  return recordersOf(config).length === 0 ? 'no recorder of ours' : undefined
}

/** Throws if it does not answer, or reports that something is missing. A server other than ours has no such page. */
async function askRecorder(url: string): Promise<void> {
  const health = await readRecorderHealth(url, PROBE_TIMEOUT_MS)
  if (health?.isAble === false) throw new MediaError('a recorder cannot record')
}

/** About fifteen chunks. A storage that is restarted may take as long. */
const UNDELIVERED_MAX_SEC = 30

async function checkDeliveries({ config, metrics }: PartDeps): Promise<Outcome | undefined> {
  const behindSec = await Promise.all(
    recordersOf(config).map(async (recorder) => {
      const health = await inTime(readRecorderHealth(recorder, PROBE_TIMEOUT_MS), PROBE_TIMEOUT_MS)
      if (health === undefined) metrics.recorderUndelivered.remove({ recorder })
      else metrics.recorderUndelivered.set({ recorder }, health.undeliveredSec)
      return health?.undeliveredSec ?? 0
    }),
  )
  if (Math.max(...behindSec) <= UNDELIVERED_MAX_SEC) return undefined
  return warn(
    'A recorder has delivered nothing for more than 30 s: its storage refuses it or is out of reach. npm run doctor says why.',
  )
}

/** By the SQL state; of a class by its first two characters. */
const DATABASE_REFUSALS = [
  ['28', 'PostgreSQL refuses the user or the password of DATABASE_URL.'],
  ['3D', 'PostgreSQL has no database of the name in DATABASE_URL.'],
  ['53300', 'PostgreSQL has no connection left for the user of DATABASE_URL.'],
] as const

function reasonForDatabase(error: unknown): string {
  if (error instanceof DatabaseLost && error.isReadOnly)
    return 'The database only reads: DATABASE_URL must lead to the primary.'
  if (isOfCertificate(error)) return 'The certificate of PostgreSQL has expired or is not trusted.'
  const state = refusalState(error)
  const refusal = DATABASE_REFUSALS.find(([begin]) => state?.startsWith(begin))
  return refusal?.[1] ?? 'The database does not answer.'
}

function reasonForMedia(error: unknown): string {
  return error instanceof MediaError && error.isUnauthorized
    ? 'LiveKit refuses our key: check LIVEKIT_API_KEY and LIVEKIT_API_SECRET.'
    : 'LiveKit does not answer at LIVEKIT_URL.'
}

function reasonForStorage(error: unknown): string {
  const fault = error instanceof StorageError ? storageFault(error.message) : undefined
  return fault === undefined
    ? 'The storage does not answer.'
    : `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`
}

/** The machine and the settings of this process. */
export const MACHINE_CHECKS: readonly Check<Pick<Deps, 'config'>>[] = [
  {
    name: 'ffmpeg:program',
    ask: ({ config }) => checkFfmpeg(config),
    passes: 'ffmpeg can make videos',
    when: { readiness: 'minute', skip: unlessWorker },
  },
  {
    name: 'machine:workDir',
    ask: ({ config }) => checkWorkDir(config.workDir),
    when: { readiness: 'minute', doctor: false, skip: unlessWorker },
  },
  {
    name: 'machine:storageDir',
    ask: ({ config }) => checkStorageDir(config),
    passes: 'STORAGE_DIR has space, or a bucket is there',
    when: { readiness: 'minute' },
  },
  {
    name: 'configuration:publicUrl',
    ask: async ({ config }) => checkPublicUrl(config),
    passes: 'PUBLIC_URL fits HOST and TRUST_PROXY',
    when: { readiness: 'minute' },
  },
  {
    name: 'configuration:mediaUrl',
    ask: async ({ config }) => checkMediaUrl(config),
    passes: 'LIVEKIT_PUBLIC_URL works from the pages',
    when: { readiness: 'minute' },
  },
]

/** Only workers make files and draw names. */
export function unlessWorker({ config }: Pick<Deps, 'config'>): string | undefined {
  return config.role === 'api' ? 'only workers need it: ROLE is api' : undefined
}

async function checkFfmpeg({ ffmpegPath }: Config): Promise<Outcome | undefined> {
  const isThere = await findFfmpeg(ffmpegPath).then(
    () => true,
    () => false,
  )
  if (isThere) return undefined
  return warn(
    'There is no ffmpeg 5 or later with libx264 and aac, so recordings are not processed: install it, or set FFMPEG_PATH.',
  )
}

async function checkWorkDir(workDir: string): Promise<Outcome | undefined> {
  if ((await freeBytesIn(workDir)) < FREE_MIN_BYTES) {
    return warn(
      'Less than 2 GiB are free in WORK_DIR: without space recordings, trims and transcriptions wait, for a day at most.',
    )
  }
  // A failed file system may report free space but accept no writes.
  const isWritable = await withWorkspace(workDir, async () => true).catch(() => false)
  if (isWritable) return undefined
  return warn(
    'WORK_DIR cannot be written: recordings, trims and transcriptions wait, for a day at most.',
  )
}

/** A bucket does not report its free space, so only folders are checked. */
async function checkStorageDir({ storage }: Config): Promise<Outcome | undefined> {
  if (storage.kind !== 'folder') return undefined
  // If the free space cannot be read, the folder cannot be written either, which the check of the storage finds.
  const freeBytes = await freeBytesIn(storage.folder).catch(() => Infinity)
  if (freeBytes >= FREE_MIN_BYTES) return undefined
  return warn(
    'Less than 2 GiB are free in STORAGE_DIR: without space uploads are refused and recordings wait.',
  )
}

function checkPublicUrl({ host, port, trustProxy, publicUrl }: Config): Outcome | undefined {
  const site = new URL(publicUrl)
  if (!isLoopback(site.hostname)) return undefined
  if (!isLoopback(host)) {
    return warn('HOST listens for other machines, and links lead to localhost: set PUBLIC_URL.')
  }
  if (trustProxy !== 0 && site.port === String(port)) {
    return warn('TRUST_PROXY names a proxy, and links lead past it to localhost: set PUBLIC_URL.')
  }
  return undefined
}

function checkMediaUrl({ publicUrl, livekit }: Config): Outcome | undefined {
  const site = new URL(publicUrl)
  const media = new URL(livekit.publicUrl)
  if (site.protocol === 'https:' && media.protocol === 'ws:') {
    return warn(
      'Browsers refuse ws:// media in https:// pages: set LIVEKIT_PUBLIC_URL to a wss:// address.',
    )
  }
  if (!isLoopback(site.hostname) && isLoopback(media.hostname)) {
    return warn('Browsers are sent to localhost for media: set LIVEKIT_PUBLIC_URL.')
  }
  return undefined
}

/** True if the name leads to this machine only, as every name below `localhost` does (RFC 6761). */
export function isLoopback(hostname: string): boolean {
  return ['[::1]', '::1'].includes(hostname) || /^(?:127\.|(?:.+\.)?localhost$)/.test(hostname)
}
