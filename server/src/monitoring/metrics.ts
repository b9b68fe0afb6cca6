import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What this process counts, and what a scrape reads from the database. docs/operations.md tells of each. */
export type Metrics = ReturnType<typeof createMetrics>

const PREFIX = 'interview_room_'
const DURATION_BUCKETS_SEC = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** @param isWholeProcess Event loop, memory and CPU of Node, too. */
export function createMetrics({ isWholeProcess = false } = {}) {
  const registry = new Registry()
  const registers = [registry]
  if (isWholeProcess) collectDefaultMetrics({ register: registry })

  function counter<L extends string>(name: string, help: string, labelNames: readonly L[]) {
    return new Counter({ name: `${PREFIX}${name}`, help, labelNames, registers })
  }
  function gauge<L extends string>(name: string, help: string, labelNames: readonly L[] = []) {
    return new Gauge({ name: `${PREFIX}${name}`, help, labelNames, registers })
  }

  return {
    registry,
    requests: new Histogram({
      name: `${PREFIX}http_request_duration_seconds`,
      help: 'Requests by the template of their route; streams are not among them.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: DURATION_BUCKETS_SEC,
      registers,
    }),
    liveStreams: gauge('live_streams', 'Streams that are open on this process.', ['kind']),
    jobRuns: counter('job_runs_total', 'Runs of jobs by how they ended.', ['kind', 'outcome']),
    notifications: counter('livekit_notifications_total', 'Notifications of LiveKit received.', [
      'result',
    ]),
    attempts: counter('webhook_attempts_total', 'Attempts at webhooks by outcome.', ['outcome']),
    breakersOpened: counter('webhook_breakers_opened_total', 'Endpoints that began to fail.', []),
    endpointsGone: counter('webhook_endpoints_gone_total', 'Endpoints that answered 410.', []),
    deliveriesFailed: counter(
      'webhook_deliveries_failed_total',
      'Deliveries given up after the last attempt.',
      [],
    ),
    checkState: gauge('check_state', 'Readiness check: 0 passes, 1 warns, 2 fails.', ['check']),
    connections: gauge('database_connections', 'Connections of a pool.', ['pool', 'state']),
    scrapeSuccess: gauge(
      'scrape_success',
      'Whether these values of the database could be read: 1 or 0.',
      ['section'],
    ),
    jobsDue: gauge('jobs_due', 'Jobs that are due and not running, up to 10,000.', ['kind']),
    jobsRunning: gauge('jobs_running', 'Jobs that a worker has taken.', ['kind']),
    jobsOldestDue: gauge(
      'jobs_oldest_due_age_seconds',
      'How long the oldest job that is due and not running has been due.',
      ['kind'],
    ),
    jobsDiscarded: gauge('jobs_discarded', 'Jobs given up, up to 10,000.', ['kind']),
    repeatingJobs: gauge(
      'repeating_job_age_seconds',
      'How long ago a repeating job last went well.',
      ['kind'],
    ),
    deliveriesPending: gauge('webhook_deliveries_pending', 'Deliveries to make, up to 10,000.'),
    deliveriesOldest: gauge(
      'webhook_deliveries_oldest_age_seconds',
      'Age of the oldest delivery to make, whatever it waits for.',
    ),
    deliveriesOverdue: gauge(
      'webhook_deliveries_overdue_seconds',
      'How long a delivery has been due to an endpoint that works.',
    ),
    endpoints: gauge('webhook_endpoints', 'Endpoints by state.', ['state']),
    breakers: gauge('webhook_breakers', 'Breakers of active endpoints by state.', ['state']),
    recordings: gauge('recordings', 'Recordings that are not finished, by status.', ['status']),
    recordingsFailed: gauge(
      'recordings_failed_last_day',
      'Recordings that failed in the last 24 hours.',
    ),
  }
}
