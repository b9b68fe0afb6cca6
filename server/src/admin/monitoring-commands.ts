import { findMissingFiles } from '../backup/find-missing-files.ts'
import { checkInvariants } from '../domain/monitoring/check-invariants.ts'
import { findUnnamedObjects } from '../domain/monitoring/find-unnamed-objects.ts'
import { DELIVERY_STATES, JOB_STATES, problemsOf } from '../domain/monitoring/list-problems.ts'
import { readRecorderHealth } from '../platform/checks/recorder-health.ts'
import { recordersOf } from '../platform/checks/service-checks.ts'
import { deleteDiscardedJob, retryDiscarded } from '../platform/jobs/enqueue.ts'
import { inTime } from '../platform/lib/settles-within.ts'
import { CommandError } from './command-error.ts'
import type { Command } from './command.ts'
import type { Options } from './options.ts'

const LIMIT_DEFAULT = 50
const RECORDER_MS = 5_000

interface JobName {
  kind: string
  key: string
}

function jobNamed(options: Options): JobName {
  return { kind: options.required('kind'), key: options.required('key') }
}

function nowIn({ kind, key }: JobName, state: 'due' | 'forgotten' | false): object {
  if (state === false) throw new CommandError(`no job ${kind} ${key} was given up`)
  return { kind, key, state }
}

export const JOB_COMMANDS: Record<string, Command> = {
  '': {
    takes: [`--state <${JOB_STATES.join('|')}>`, '--limit <n>'],
    summary: 'Jobs that were given up, fail again and again or wait for a worker; or all due ones.',
    async run(deps, options) {
      const state = options.word('state', JOB_STATES) ?? 'stuck'
      const jobs = await problemsOf(deps).jobs(state, options.count('limit', LIMIT_DEFAULT))
      return jobs.map(({ kind, key, attempt, deaths, dueAt, leaseUntil, lastError, ...job }) => ({
        kind,
        key,
        state: job.state,
        attempt,
        deaths,
        due_at: dueAt.toISOString(),
        lease_until: leaseUntil?.toISOString() ?? null,
        last_error: lastError,
      }))
    },
  },
  retry: {
    needs: ['--kind <kind>', '--key <key>'],
    summary: 'Run a job that was given up again, after its cause was repaired.',
    async run({ db }, options) {
      const job = jobNamed(options)
      return nowIn(job, (await retryDiscarded(db, job)) && 'due')
    },
  },
  forget: {
    needs: ['--kind <kind>', '--key <key>'],
    summary: 'Remove a job that was given up, when nothing is left to do for it.',
    async run({ db }, options) {
      const job = jobNamed(options)
      return nowIn(job, (await deleteDiscardedJob(db, job)) && 'forgotten')
    },
  },
}

export const DELIVERY_COMMANDS: Record<string, Command> = {
  '': {
    takes: [`--state <${DELIVERY_STATES.join('|')}>`, '--limit <n>'],
    summary: 'Deliveries of all tenants in a state; by default those that failed.',
    async run(deps, options) {
      const state = options.word('state', DELIVERY_STATES) ?? 'failed'
      const limit = options.count('limit', LIMIT_DEFAULT)
      const deliveries = await problemsOf(deps).deliveries(state, limit)
      return deliveries.map((delivery) => ({
        event_id: delivery.eventId,
        tenant_id: delivery.tenantId,
        type: delivery.type,
        state: delivery.state,
        attempts: delivery.attempt,
        last_status: delivery.lastStatus,
        last_error: delivery.lastError,
        created_at: delivery.createdAt.toISOString(),
        due_at: delivery.dueAt?.toISOString() ?? null,
      }))
    },
  },
}

export const ENDPOINT_COMMANDS: Record<string, Command> = {
  '': {
    takes: ['--limit <n>'],
    summary: 'Webhook endpoints of all tenants that take nothing, or failed the last time.',
    async run(deps, options) {
      const endpoints = await problemsOf(deps).endpoints(options.count('limit', LIMIT_DEFAULT))
      return endpoints.map((endpoint) => ({
        tenant_id: endpoint.tenantId,
        endpoint_id: endpoint.endpointId,
        url: endpoint.url,
        state: endpoint.state,
        consecutive_failures: endpoint.consecutiveFailures,
        next_probe_at: endpoint.nextProbeAt?.toISOString() ?? null,
        pending: endpoint.pending,
        oldest_pending_at: endpoint.oldestAt?.toISOString() ?? null,
      }))
    },
  },
}

export const RECORDER_COMMANDS: Record<string, Command> = {
  '': {
    summary: 'Recorders of ours: what they lack, and what the storage does not have of them yet.',
    run: async ({ config }) =>
      Promise.all(
        recordersOf(config).map(async (recorder) => {
          const health = await inTime(readRecorderHealth(recorder, RECORDER_MS), RECORDER_MS)
          if (health === undefined) return { recorder, answers: false }
          return {
            recorder,
            answers: true,
            problems: health.problems,
            recording: health.recording ?? null,
            undelivered_sec: health.undeliveredSec,
            deliveries: health.deliveries.map((delivery) => ({
              egress_id: delivery.egressId,
              undelivered_sec: delivery.undeliveredSec,
              last_delivered_at: delivery.lastDeliveredAt,
              last_refused_at: delivery.lastRefusedAt,
              refusal: delivery.refusal,
            })),
          }
        }),
      ),
  },
}

export const CHECK_COMMANDS: Record<string, Command> = {
  '': {
    summary: 'Check what must always hold of the data; exit code 1 where it does not.',
    run: async (deps) => checkInvariants(deps),
    hasFailed: (answer) => 'violations' in answer && (answer.violations as []).length > 0,
  },
  files: {
    summary:
      'Compare the files that the data names with those of the storage; exit code 1 where they differ.',
    async run(deps) {
      const [{ checked, missing }, unnamed] = await Promise.all([
        findMissingFiles(deps),
        findUnnamedObjects(deps),
      ])
      const lost = missing.map(({ resource, id, tenantId }) => ({
        resource,
        id,
        tenant_id: tenantId,
      }))
      const extra = unnamed.map(({ key, storedAt, isAhead }) => ({
        key,
        stored_at: storedAt.toISOString(),
        is_newer_than_data: isAhead,
      }))
      return { checked, missing: lost, unnamed: extra }
    },
    hasFailed: (answer) =>
      ['missing', 'unnamed'].some((name) => (answer as Record<string, unknown[]>)[name]?.length),
  },
}
