import { setTimeout as delay } from 'node:timers/promises'
import { followRecordingJob } from '../domain/recording/recordings/follow-recording.job.ts'
import { FOLLOW_RECORDING } from '../domain/recording/recordings/recording-requests.ts'
import { runLeased } from '../platform/jobs/run-leased.ts'
import type { ClaimedJob } from '../platform/jobs/store.ts'
import type { ControlPlane } from './control-plane.ts'

const LEASE_SEC = 30
const POLL_MS = 5

/** Runs the job of the room's recording as a worker does, until the request is answered and the job has run after it. */
export async function whileFollowing<T>(
  plane: ControlPlane,
  roomId: string,
  request: () => Promise<T>,
): Promise<T> {
  const progress = { isAnswered: false }
  const answer = request().finally(() => {
    progress.isAnswered = true
  })
  while (!progress.isAnswered) {
    await followIfDue(plane, roomId)
    await Promise.race([answer, delay(POLL_MS)])
  }
  await followIfDue(plane, roomId)
  return answer
}

/** Does nothing unless the job is due and nobody runs it. */
export async function followIfDue({ database, deps }: ControlPlane, roomId: string): Promise<void> {
  const { db } = database
  const [claimed] = await db<ClaimedJob[]>`
    update jobs
       set lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SEC}),
           lease_token = gen_random_uuid(), attempt = attempt + 1
     where kind = ${FOLLOW_RECORDING} and key = ${roomId} and state = 'due'
       and due_at <= clock_timestamp()
       and (lease_until is null or lease_until < clock_timestamp())
    returning id, kind, key, payload, attempt, requested, lease_token as "leaseToken",
              trace_context as "traceContext"
  `
  if (claimed === undefined) return
  const { signal: stop } = new AbortController()
  const job = followRecordingJob(deps)
  await runLeased({ db, log: deps.log, job, claimed, leaseSec: LEASE_SEC, stop })
}
