import { runSoon } from '../../../platform/jobs/enqueue.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { deleteObjectsRequest } from '../../../platform/storage/delete-objects.job.ts'
import { claimObject } from '../../../platform/storage/unclaimed-object.ts'
import type { TrimDeps } from '../trims/make-trim.ts'
import { trimJob } from '../trims/trim-job.ts'
import { sourceOf, type TrimAttempt, type TrimKey, type TrimOwner } from '../trims/trim.ts'
import { CLIP_KIND } from './clip-request.ts'
import { type Clip, clipKeyOf, courseOf } from './clip.ts'
import { type ClipEnd, endClip } from './end-clip.ts'
import { insertAttempt, isAttemptOpen } from './store.ts'
import { whileLocked } from './while-locked.ts'

interface ClipAttempt extends TrimAttempt {
  clip: Clip
}

type AttemptDeps = Pick<Deps, 'db' | 'clock'>

/** Makes the files of clips. */
export function makeClipJob(deps: TrimDeps): Job {
  return trimJob(deps, { kind: CLIP_KIND, webhook: 'clip.status_changed', owner: clips(deps) })
}

function clips(deps: AttemptDeps): TrimOwner<ClipAttempt> {
  return {
    begin: (key) => beginClip(deps, key),
    isOpen: ({ clip, attempt }) => isAttemptOpen(deps.db, { id: clip.id, attempt }),
    complete: (attempt, file) => handIn(deps, attempt, { to: 'available', file }),
    async fail(attempt, failureReason) {
      await handIn(deps, attempt, { to: 'failed', failureReason })
    },
  }
}

/** Begins an attempt, and deletes the unclaimed file of the previous one. */
async function beginClip(deps: AttemptDeps, key: TrimKey): Promise<ClipAttempt | undefined> {
  return whileLocked(deps, key, async (tx, locked, recording) => {
    if (locked.status !== 'pending') return undefined
    const attempt = await insertAttempt(tx, locked.id, deps.clock())
    if (attempt > 1) await runSoon(tx, deleteObjectsRequest([clipKeyOf(locked, attempt - 1)]))
    return {
      logged: { clipId: locked.id },
      ...courseOf(locked),
      clip: locked,
      attempt,
      storageKey: clipKeyOf(locked, attempt),
      roomId: recording.roomId,
      source: sourceOf(recording),
    }
  })
}

async function handIn(
  deps: AttemptDeps,
  { clip, attempt }: ClipAttempt,
  end: ClipEnd,
): Promise<boolean> {
  const ended = await whileLocked(deps, clip, async (tx, locked, { roomId }) => {
    if (locked.status !== 'pending' || locked.attempt !== attempt) return false
    if (end.to === 'available') await claimObject(tx, end.file.storageKey)
    await endClip(tx, locked, { ...end, roomId, at: deps.clock() })
    return true
  })
  return ended === true
}
