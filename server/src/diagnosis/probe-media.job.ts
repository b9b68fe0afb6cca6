import { once } from 'node:events'
import { runChecks } from '../platform/checks/check.ts'
import { type RepeatingJob, repeatingJob } from '../platform/jobs/repeating-job.ts'
import type { Deps } from '../platform/ports/deps.ts'
import { insertProbe } from './store.ts'

type ProbeDeps = Pick<
  Deps,
  | 'db'
  | 'urgentDb'
  | 'media'
  | 'storage'
  | 'config'
  | 'clock'
  | 'secretBox'
  | 'serviceKeys'
  | 'metrics'
>

/** A pause that is never used, where probes are off. */
const DAY_SEC = 24 * 60 * 60
const CHECK_MS = 45_000
/** Needs of an interview: a room, media, its recording and the notifications of both. */
const PROBED = [
  'storage:put',
  'livekit:api',
  'livekit:webhook',
  'livekit:signalling',
  'livekit:codecs',
  'livekit:participants',
  'livekit:media',
  'livekit:recording',
  'livekit:recorderWebhook',
]

/**
 * Takes the doctor's way of media every few minutes: two clients, every recorder, the storage, the notifications. Stores
 * the outcome for readiness and metrics.
 */
export function probeMediaJob(deps: ProbeDeps): RepeatingJob {
  const { mediaProbeEverySec: everySec } = deps.config
  return repeatingJob({
    kind: 'probe-media',
    everySec: everySec === 0 ? DAY_SEC : everySec,
    clock: deps.clock,
    async run({ log, signal }) {
      if (everySec === 0) return 'done'
      const startMs = performance.now()
      // Loaded with its first run: it brings a WebRTC library along.
      const { CHECKS, withDiagnosis } = await import('./diagnose.ts')
      if (signal.aborted) return 'done'
      const checks = CHECKS.filter(({ name }) => PROBED.includes(name))
      const probed = withDiagnosis(deps, {}, (given) => runChecks(checks, given, CHECK_MS))
      const stopped = once(signal, 'abort').then(() => undefined)
      const results = await Promise.race([probed, stopped])
      // A probe that a stop of the worker cuts off says nothing of the media.
      if (results === undefined) return 'done'
      const failed = results.find(({ result }) => result === 'fail')
      const tookMs = Math.round(performance.now() - startMs)
      await insertProbe(deps.db, { failedCheck: failed?.check ?? null, tookMs })
      if (failed !== undefined) {
        const { check, detail, mend } = failed
        log.warn({ check, detail, mend, tookMs }, 'media probe failed')
      }
      return 'done'
    },
  })
}
