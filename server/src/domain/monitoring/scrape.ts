import type { Db } from '../../platform/db/db.ts'
import { inTime } from '../../platform/lib/settles-within.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { countDifferences } from '../../platform/storage/differences.ts'
import {
  countDiscardedJobs,
  countEndpoints,
  countFailedRecordings,
  countIsolatedJobs,
  countPendingDeliveries,
  countRecordingLacks,
  countUnfinishedRecordings,
  findOverdueSec,
  findProbe,
  listDueJobs,
  listRepeatingJobs,
} from './store.ts'

/** The page of metrics, in the text format of Prometheus. */
export type Scrape = () => Promise<{ contentType: string; text: string }>

/** Time limit for one section of values from the database. */
const READ_TIMEOUT_MS = 2_500

const STATES = ['active', 'paused', 'gone', 'disabled'] as const
const BREAKERS = ['closed', 'open', 'probing'] as const
const DIFFERENCES = ['unnamed', 'held', 'kept', 'missing'] as const
const STATUSES = ['started', 'paused', 'stopped', 'uploaded'] as const

interface ScrapeDeps extends Pick<Deps, 'metrics'> {
  /** A pool of its own, so that a scrape neither waits for requests nor takes a connection from them. */
  db: Db
  /** The reported pools, by name. */
  pools: Readonly<Record<string, Pick<Db, 'stats'>>>
  /** Kinds of the repeating jobs. */
  repeatingKinds: readonly string[]
}

/**
 * Reads the values in the database and returns them with the counters of this process. Each section's statements are
 * bounded in rows and time. A section that cannot be read is missing, and `scrape_success` shows that. Concurrent scrapes
 * share one read.
 */
export function createScrape(deps: ScrapeDeps): Scrape {
  const { metrics, pools } = deps
  const sections = sectionsOf(deps)
  let underWay: ReturnType<Scrape> | undefined

  async function scrape() {
    reportPools(metrics, pools)
    await Promise.all(sections.map((section) => readSection(metrics, section)))
    return { contentType: metrics.registry.contentType, text: await metrics.registry.metrics() }
  }

  return () => {
    underWay ??= scrape().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}

interface Section {
  name: string
  gauges?: readonly { reset(): void }[]
  /** Gauges without labels. A reset would set them to 0, which would look like a value. */
  values?: readonly { remove(): void }[]
  /** Returns the function that sets the gauges, so that a late result sets nothing. */
  read: () => Promise<() => void>
}

function sectionsOf(deps: ScrapeDeps): Section[] {
  return [
    ...sectionsOfJobs(deps),
    ...sectionsOfWebhooks(deps),
    sectionOfRecordings(deps),
    sectionOfStorage(deps),
    sectionOfProbes(deps),
  ]
}

function sectionsOfJobs({ metrics, db, repeatingKinds }: ScrapeDeps): Section[] {
  return [
    {
      name: 'jobs',
      gauges: [
        metrics.jobsDue,
        metrics.jobsRunning,
        metrics.jobsOldestDue,
        metrics.jobsIsolated,
        metrics.jobsDiscarded,
      ],
      async read() {
        const due = await listDueJobs(db)
        const isolated = await countIsolatedJobs(db)
        const discarded = await countDiscardedJobs(db)
        return () => {
          for (const job of due) {
            metrics.jobsDue.set({ kind: job.kind }, job.due)
            metrics.jobsRunning.set({ kind: job.kind }, job.running)
            metrics.jobsOldestDue.set({ kind: job.kind }, job.oldestSec)
          }
          for (const { kind, count } of isolated) metrics.jobsIsolated.set({ kind }, count)
          for (const { kind, count } of discarded) metrics.jobsDiscarded.set({ kind }, count)
        }
      },
    },
    {
      name: 'repeating_jobs',
      gauges: [metrics.repeatingJobs],
      async read() {
        const jobs = await listRepeatingJobs(db, repeatingKinds)
        return () => {
          for (const { kind, ageSec } of jobs) metrics.repeatingJobs.set({ kind }, ageSec)
        }
      },
    },
  ]
}

function sectionsOfWebhooks({ metrics, db }: ScrapeDeps): Section[] {
  return [
    {
      name: 'deliveries',
      values: [metrics.deliveriesPending, metrics.deliveriesOldest, metrics.deliveriesOverdue],
      async read() {
        const { pending, oldestSec } = await countPendingDeliveries(db)
        const overdueSec = await findOverdueSec(db)
        return () => {
          metrics.deliveriesPending.set(pending)
          metrics.deliveriesOldest.set(oldestSec)
          metrics.deliveriesOverdue.set(overdueSec)
        }
      },
    },
    {
      name: 'endpoints',
      gauges: [metrics.endpoints, metrics.breakers],
      async read() {
        const counted = await countEndpoints(db)
        return () => {
          for (const state of STATES) metrics.endpoints.set({ state }, 0)
          for (const state of BREAKERS) metrics.breakers.set({ state }, 0)
          for (const { state, breaker, count } of counted) {
            metrics.endpoints.inc({ state }, count)
            if (state === 'active') metrics.breakers.inc({ state: breaker }, count)
          }
        }
      },
    },
  ]
}

function sectionOfRecordings({ metrics, db }: ScrapeDeps): Section {
  return {
    name: 'recordings',
    gauges: [metrics.recordings],
    values: [metrics.recordingsFailed, metrics.recordingLacks],
    async read() {
      const counted = await countUnfinishedRecordings(db)
      const failed = await countFailedRecordings(db)
      const lacks = await countRecordingLacks(db)
      return () => {
        for (const status of STATUSES) metrics.recordings.set({ status }, 0)
        for (const { status, count } of counted) metrics.recordings.set({ status }, count)
        metrics.recordingsFailed.set(failed)
        metrics.recordingLacks.set(lacks)
      }
    },
  }
}

function sectionOfStorage({ metrics, db }: ScrapeDeps): Section {
  return {
    name: 'storage',
    gauges: [metrics.storageDifferences],
    async read() {
      const counted = await countDifferences(db)
      return () => {
        for (const kind of DIFFERENCES) metrics.storageDifferences.set({ kind }, 0)
        for (const { kind, count } of counted) metrics.storageDifferences.set({ kind }, count)
      }
    },
  }
}

/** A probe that is older than a day says nothing. Pauses are an hour at most. */
const PROBE_KEPT_SEC = 24 * 60 * 60

function sectionOfProbes({ metrics, db }: ScrapeDeps): Section {
  return {
    name: 'media_probe',
    values: [metrics.probeSuccess, metrics.probeDuration],
    async read() {
      const probe = await findProbe(db, PROBE_KEPT_SEC)
      return () => {
        if (probe === undefined) return
        metrics.probeSuccess.set(probe.failures === 0 ? 1 : 0)
        metrics.probeDuration.set(probe.tookMs / 1000)
      }
    },
  }
}

async function readSection(metrics: Metrics, section: Section): Promise<void> {
  const { name, gauges = [], values = [], read } = section
  const apply = await inTime(read(), READ_TIMEOUT_MS)
  // Drop the values of the previous scrape: kinds that no longer exist, and sections that could not be read.
  for (const gauge of gauges) gauge.reset()
  for (const value of values) value.remove()
  apply?.()
  metrics.scrapeSuccess.set({ section: name }, apply === undefined ? 0 : 1)
}

function reportPools({ connections }: Metrics, pools: ScrapeDeps['pools']): void {
  for (const [pool, db] of Object.entries(pools)) {
    const stats = db.stats()
    connections.set({ pool, state: 'allowed' }, stats.size)
    connections.set({ pool, state: 'in_use' }, stats.inUse)
    connections.set({ pool, state: 'waiting' }, stats.waiting)
  }
}
