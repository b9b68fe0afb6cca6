import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The metrics that this process counts, and those that a scrape reads from the database. docs/operations.md describes each. */
export type Metrics = ReturnType<typeof createMetrics>

const PREFIX = 'interview_room_'
const DURATION_BUCKETS_SEC = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** @param includesNode Also event loop, memory and CPU of Node. */
export function createMetrics({ includesNode = false } = {}) {
  const registry = new Registry()
  const registers = [registry]
  if (includesNode) collectDefaultMetrics({ register: registry })

  return {
    registry,
    ...countedHere(registers),
    ...ofLiveText(registers),
    ...readOfJobs(registers),
    ...readOfWebhooksAndRecordings(registers),
  }
}

type Registers = Registry[]

function counter<L extends string>(
  registers: Registers,
  about: {
    name: string
    help: string
    labels?: readonly L[]
    from0?: readonly Record<L, string>[]
  },
) {
  const { name, help, labels: labelNames = [], from0 = [] } = about
  const made = new Counter({ name: `${PREFIX}${name}`, help, labelNames, registers })
  // Prometheus sees no increase in a series that begins at 1, so the first event would go unnoticed.
  for (const labels of from0) made.inc(labels, 0)
  return made
}

function gauge<L extends string>(
  registers: Registers,
  about: { name: string; help: string; labels?: readonly L[] },
) {
  const { name, help, labels: labelNames = [] } = about
  return new Gauge({ name: `${PREFIX}${name}`, help, labelNames, registers })
}

function countedHere(registers: Registers) {
  return {
    requests: new Histogram({
      name: `${PREFIX}http_request_duration_seconds`,
      help: 'Requests by the template of their route; streams are not among them.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: DURATION_BUCKETS_SEC,
      registers,
    }),
    liveStreams: gauge(registers, {
      name: 'live_streams',
      help: 'Streams that are open on this process.',
      labels: ['kind'],
    }),
    jobRuns: counter(registers, {
      name: 'job_runs_total',
      help: 'Runs of jobs by how they ended.',
      labels: ['kind', 'outcome'],
    }),
    notifications: counter(registers, {
      name: 'livekit_notifications_total',
      help: 'Notifications of LiveKit received.',
      labels: ['result'],
      from0: [{ result: 'accepted' }, { result: 'refused' }],
    }),
    attempts: counter(registers, {
      name: 'webhook_attempts_total',
      help: 'Attempts at webhooks by outcome.',
      labels: ['outcome'],
    }),
    breakersOpened: counter(registers, {
      name: 'webhook_breakers_opened_total',
      help: 'Endpoints that began to fail.',
    }),
    endpointsGone: counter(registers, {
      name: 'webhook_endpoints_gone_total',
      help: 'Endpoints that answered 410.',
    }),
    deliveriesFailed: counter(registers, {
      name: 'webhook_deliveries_failed_total',
      help: 'Deliveries given up after the last attempt.',
    }),
    checkState: gauge(registers, {
      name: 'check_state',
      help: 'Readiness check: 0 passes, 1 warns, 2 fails.',
      labels: ['check'],
    }),
    recorderUndelivered: gauge(registers, {
      name: 'recorder_undelivered_seconds',
      help: 'Seconds of recordings that only the disk of a recorder has.',
      labels: ['recorder'],
    }),
    connections: gauge(registers, {
      name: 'database_connections',
      help: 'Connections of a pool.',
      labels: ['pool', 'state'],
    }),
  }
}

function ofLiveText(registers: Registers) {
  return {
    liveTextRooms: gauge(registers, {
      name: 'live_text_rooms',
      help: 'Rooms that this process listens to for live text.',
    }),
    liveTextStreams: counter(registers, {
      name: 'live_text_streams_total',
      help: 'Streams of speech to engines by how they ended.',
      labels: ['outcome'],
      from0: [{ outcome: 'ended' }, { outcome: 'failed' }, { outcome: 'closed' }],
    }),
  }
}

function readOfJobs(registers: Registers) {
  return {
    scrapeSuccess: gauge(registers, {
      name: 'scrape_success',
      help: 'Whether these values of the database could be read: 1 or 0.',
      labels: ['section'],
    }),
    jobsDue: gauge(registers, {
      name: 'jobs_due',
      help: 'Jobs that are due and not running, up to 10,000.',
      labels: ['kind'],
    }),
    jobsRunning: gauge(registers, {
      name: 'jobs_running',
      help: 'Jobs that a worker has taken.',
      labels: ['kind'],
    }),
    jobsOldestDue: gauge(registers, {
      name: 'jobs_oldest_due_age_seconds',
      help: 'How long the oldest job that is due and not running has been due.',
      labels: ['kind'],
    }),
    jobsIsolated: gauge(registers, {
      name: 'jobs_isolated',
      help: 'Jobs that run alone because their process died repeatedly, up to 10,000.',
      labels: ['kind'],
    }),
    jobsDiscarded: gauge(registers, {
      name: 'jobs_discarded',
      help: 'Jobs given up, up to 10,000.',
      labels: ['kind'],
    }),
    repeatingJobs: gauge(registers, {
      name: 'repeating_job_age_seconds',
      help: 'How long ago a repeating job last went well.',
      labels: ['kind'],
    }),
  }
}

function readOfWebhooksAndRecordings(registers: Registers) {
  return {
    probeSuccess: gauge(registers, {
      name: 'media_probe_success',
      help: 'Whether the newest probe of media came through: 1 or 0.',
    }),
    probeDuration: gauge(registers, {
      name: 'media_probe_duration_seconds',
      help: 'How long the newest probe of media took.',
    }),
    deliveriesPending: gauge(registers, {
      name: 'webhook_deliveries_pending',
      help: 'Deliveries to make, up to 10,000.',
    }),
    deliveriesOldest: gauge(registers, {
      name: 'webhook_deliveries_oldest_age_seconds',
      help: 'Age of the oldest delivery to make, whatever it waits for.',
    }),
    deliveriesOverdue: gauge(registers, {
      name: 'webhook_deliveries_overdue_seconds',
      help: 'How long a delivery has been due to an endpoint that works.',
    }),
    endpoints: gauge(registers, {
      name: 'webhook_endpoints',
      help: 'Endpoints by state.',
      labels: ['state'],
    }),
    breakers: gauge(registers, {
      name: 'webhook_breakers',
      help: 'Breakers of active endpoints by state.',
      labels: ['state'],
    }),
    recordings: gauge(registers, {
      name: 'recordings',
      help: 'Recordings that are not finished, by status.',
      labels: ['status'],
    }),
    recordingLacks: gauge(registers, {
      name: 'recording_tracks_without_media',
      help: 'Tracks that are switched on and do not arrive in a running recording.',
    }),
    recordingsFailed: gauge(registers, {
      name: 'recordings_failed_last_day',
      help: 'Recordings that failed in the last 24 hours.',
    }),
    storageDifferences: gauge(registers, {
      name: 'storage_differences',
      help: 'Objects that no row names (unnamed, held for a person, kept by one) and recordings without their file (missing).',
      labels: ['kind'],
    }),
  }
}
