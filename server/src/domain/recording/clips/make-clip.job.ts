import { runSoon } from '../../../platform/jobs/enqueue.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import {
  type TrimJob,
  type TrimmedVideo,
  trimVideo,
} from '../../../platform/media-files/trim-video.ts'
import { deleteObjectsRequest } from '../../../platform/storage/delete-objects.job.ts'
import { claimObject } from '../../../platform/storage/unclaimed-object.ts'
import type { TrimDeps } from '../trims/make-trim.ts'
import { trimJob } from '../trims/trim-job.ts'
import { sourceOf, type TrimAttempt, type TrimKey, type TrimOwner } from '../trims/trim.ts'
import { CLIP_KIND, REEL_KIND } from './clip-request.ts'
import { type Clip, clipKeyOf, courseOf, type Reel } from './clip.ts'
import { cutReel } from './cut-reel.ts'
import { type ClipEnd, endClip } from './end-clip.ts'
import { insertAttempt, isAttemptOpen, updateProgress } from './store.ts'
import { whileLocked } from './while-locked.ts'

interface ClipAttempt extends TrimAttempt {
  clip: Clip
}

/** Makes the files of clips. */
export function makeClipJob(deps: TrimDeps): Job {
  const owner = clips(deps, { isReel: false })
  return trimJob(deps, { kind: CLIP_KIND, webhook: 'clip.status_changed', owner })
}

/** Makes the files of reels. */
export function makeReelJob(deps: TrimDeps): Job {
  const owner = clips(deps, { isReel: true })
  return trimJob(deps, { kind: REEL_KIND, webhook: 'reel.status_changed', owner })
}

function clips(deps: TrimDeps, { isReel }: { isReel: boolean }): TrimOwner<ClipAttempt> {
  return {
    begin: (key) => beginClip(deps, { ...key, isReel }),
    isOpen: ({ clip, attempt }) => isAttemptOpen(deps.db, { id: clip.id, attempt }),
    noteProgress: ({ clip, attempt }, percent) =>
      updateProgress(deps.db, { id: clip.id, attempt, percent }),
    complete: (attempt, file) => handIn(deps, attempt, { to: 'available', file }),
    async fail(attempt, failureReason) {
      await handIn(deps, attempt, { to: 'failed', failureReason })
    },
  }
}

/** Begins an attempt, and deletes the unclaimed file of the previous one. */
async function beginClip(
  deps: TrimDeps,
  key: TrimKey & { isReel: boolean },
): Promise<ClipAttempt | undefined> {
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
      cut: (job) => cut(deps, locked, job),
    }
  })
}

/** The video of a clip or a reel, with the watermark of the viewer who made it. */
async function cut(
  deps: TrimDeps,
  clip: Clip,
  job: TrimJob & { ffmpeg: string },
): Promise<TrimmedVideo> {
  if (clip.reel !== null) return cutReel(deps, clip as Reel, job)
  const { ffmpeg, ...trim } = job
  const { watermark } = clip
  const text = { captions: [], card: [], watermark, fromSec: 0 }
  return trimVideo(ffmpeg, watermark === null ? trim : { ...trim, text })
}

async function handIn(
  deps: TrimDeps,
  { clip, attempt }: ClipAttempt,
  end: ClipEnd,
): Promise<boolean> {
  const ended = await whileLocked(
    deps,
    { ...clip, isReel: clip.reel !== null },
    async (tx, locked, { roomId }) => {
      if (locked.status !== 'pending' || locked.attempt !== attempt) return false
      if (end.to === 'available') await claimObject(tx, end.file.storageKey)
      await endClip(tx, locked, { ...end, roomId, at: deps.clock() })
      return true
    },
  )
  return ended === true
}
