import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { type RepeatingJob, repeatingJob } from '../../../platform/jobs/repeating-job.ts'
import { eachAlone } from '../../../platform/lib/each-alone.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { hasTimedOut } from '../trims/timed-out.ts'
import { isTrimForgotten, isTrimOverdue } from '../trims/trim-times.ts'
import { makeClipRequest } from './clip-request.ts'
import { type Clip, courseOf } from './clip.ts'
import { endClip } from './end-clip.ts'
import { listUnfinished } from './store.ts'
import { whileLocked } from './while-locked.ts'

const BATCH = 100
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Orders clips again that nobody has begun, and ends those that take too long. Each stands alone: one that fails is
 * looked at again in the next run.
 */
export function sweepClipsJob(deps: Pick<Deps, 'db' | 'clock' | 'config'>): RepeatingJob {
  const { db, clock, config } = deps
  return repeatingJob({
    kind: 'sweep-clips',
    everySec: config.processedRecordings.sweepEverySec,
    clock,
    async run({ signal, log }) {
      let after: string | undefined = BEFORE_ALL
      while (after !== undefined && !signal.aborted) {
        const unfinished: Clip[] = await listUnfinished(db, { after, limit: BATCH })
        const failed = await eachAlone(unfinished, (clip) => sweepOne(deps, clip))
        for (const { item, error } of failed) {
          log.error({ err: error, clipId: item.id }, 'clip not swept')
        }
        after = unfinished.length === BATCH ? unfinished.at(-1)?.id : undefined
      }
      return 'done'
    },
  })
}

async function sweepOne(deps: Pick<Deps, 'db' | 'clock'>, clip: Clip): Promise<void> {
  const now = deps.clock()
  const request = makeClipRequest(clip)
  if (isTrimOverdue(courseOf(clip), now)) {
    await whileLocked(deps, clip, async (tx, locked, { roomId }) => {
      if (locked.status !== 'pending') return
      if (!(await hasTimedOut(tx, courseOf(locked), { request, now }))) return
      await endClip(tx, locked, { to: 'failed', failureReason: 'timed_out', roomId, at: now })
    })
  } else if (isTrimForgotten(courseOf(clip), now)) {
    await enqueue(deps.db, request)
  }
}
