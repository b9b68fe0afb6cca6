import { enqueue } from '../../../platform/jobs/enqueue.ts'
import type { RepeatingJob } from '../../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { sweepUnfinishedJob } from '../trims/sweep-unfinished-job.ts'
import { hasTimedOut } from '../trims/timed-out.ts'
import { isTrimForgotten, isTrimOverdue } from '../trims/trim-times.ts'
import { makeClipRequest } from './clip-request.ts'
import { type Clip, courseOf } from './clip.ts'
import { endClip } from './end-clip.ts'
import { listUnfinished } from './store.ts'
import { whileLocked } from './while-locked.ts'

/** Orders clips and reels again that no worker has started, and fails those that take too long. */
export function sweepClipsJob(deps: Pick<Deps, 'db' | 'clock' | 'config'>): RepeatingJob {
  return sweepUnfinishedJob(deps, {
    kind: 'sweep-clips',
    list: (page) => listUnfinished(deps.db, page),
    sweepOne: (clip) => sweepOne(deps, clip),
    failure: 'clip not swept',
    logged: ({ id: clipId }) => ({ clipId }),
  })
}

async function sweepOne(deps: Pick<Deps, 'db' | 'clock'>, clip: Clip): Promise<void> {
  const now = deps.clock()
  const request = makeClipRequest(clip)
  if (isTrimOverdue(courseOf(clip), now)) {
    await whileLocked(
      deps,
      { ...clip, isReel: clip.reel !== null },
      async (tx, locked, { roomId }) => {
        if (locked.status !== 'pending') return
        if (!(await hasTimedOut(tx, courseOf(locked), { request, now }))) return
        await endClip(tx, locked, { to: 'failed', failureReason: 'timed_out', roomId, at: now })
      },
    )
  } else if (isTrimForgotten(courseOf(clip), now)) {
    await enqueue(deps.db, request)
  }
}
