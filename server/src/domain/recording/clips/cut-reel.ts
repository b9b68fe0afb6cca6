import { text } from 'node:stream/consumers'
import { REEL_CARD_SEC } from '@interview-room/contract/limits.ts'
import { NotWantedError } from '../../../platform/lib/while-wanted.ts'
import type { CaptionLine } from '../../../platform/media-files/draw-text.ts'
import { makeReel } from '../../../platform/media-files/make-reel.ts'
import type { TrimJob, TrimmedVideo } from '../../../platform/media-files/trim-video.ts'
import type { ObjectLocation } from '../../../platform/ports/storage.ts'
import { isReady } from '../recordings/recording.ts'
import { findRecording } from '../recordings/store.ts'
import { linesOf } from '../transcriptions/caption-lines.ts'
import { findNewestDone } from '../transcriptions/read-transcriptions.ts'
import { type Caption, readCaptions, writeCaptions } from '../transcriptions/webvtt.ts'
import type { TrimDeps } from '../trims/make-trim.ts'
import { recordingIdsOf, type Reel, type ReelPlan } from './clip.ts'

/** A caption that is cut to less by the range of its part is left out: nobody could read it. */
const SHORTEST_SEC = 0.2

type Part = ReelPlan['parts'][number]

/** Makes the file of a reel from the recordings of its parts. Throws like `makeReel`. */
export async function cutReel(
  deps: TrimDeps,
  { tenantId, recordingId: first, reel, watermark }: Reel,
  { ffmpeg, ...job }: TrimJob & { ffmpeg: string },
): Promise<TrimmedVideo> {
  const forSec = Math.ceil(job.deadlineMs / 1000)
  const sources = new Map<string, ObjectLocation>()
  for (const recordingId of recordingIdsOf({ recordingId: first, reel })) {
    const recording = await findRecording(deps.db, { tenantId, recordingId })
    // The reel was deleted with it.
    if (recording === undefined || !isReady(recording)) {
      throw new NotWantedError('a recording of the reel has no file any more')
    }
    sources.set(recordingId, await deps.storage.locate(recording.storageKey, { forSec }))
  }
  const isSilent = reel.captions === 'none'
  const captions = await Promise.all(
    reel.parts.map(async (part) => (isSilent ? [] : captionsOf(deps, part))),
  )
  const card = reel.titleCard === null ? [] : linesOf(reel.titleCard)
  const parts = reel.parts.map(({ recordingId, startSec, endSec }, index) => ({
    source: sources.get(recordingId) ?? job.source,
    startSec,
    endSec,
    captions: reel.captions === 'burnt' ? linesInRows(captions[index] ?? []) : [],
  }))
  const track = reel.captions === 'track' ? trackOf(reel, captions) : null
  return makeReel(ffmpeg, {
    ...job,
    parts,
    card: { lines: card, sec: REEL_CARD_SEC },
    watermark,
    track,
  })
}

/** The lines of the newest transcription in the range of a part, by the time of the part. */
async function captionsOf(
  { db, storage }: Pick<TrimDeps, 'db' | 'storage'>,
  { recordingId, startSec, endSec }: Part,
): Promise<Caption[]> {
  const done = await findNewestDone(db, recordingId)
  if (done === undefined) return []
  return readCaptions(await text(await storage.read(done.resultKey)))
    .map((caption) => ({
      ...caption,
      startSec: Math.max(caption.startSec, startSec) - startSec,
      endSec: Math.min(caption.endSec, endSec) - startSec,
    }))
    .filter((caption) => caption.endSec - caption.startSec >= SHORTEST_SEC)
}

/** Stacks the lines of people who speak at the same time, the later ones on top. */
export function linesInRows(captions: readonly Caption[]): CaptionLine[] {
  const drawn: CaptionLine[] = []
  for (const { lines, startSec, endSec } of captions) {
    const shown = drawn.filter((line) => line.endSec > startSec && line.startSec < endSec)
    const above = Math.max(-1, ...shown.map(({ row }) => row)) + 1
    lines.forEach((line, at) => {
      drawn.push({ text: line, row: above + lines.length - 1 - at, startSec, endSec })
    })
  }
  return drawn
}

function trackOf({ parts, titleCard }: ReelPlan, captions: readonly Caption[][]): string {
  let offsetSec = titleCard === null ? 0 : REEL_CARD_SEC
  const shifted = parts.flatMap(({ startSec, endSec }, index) => {
    const before = offsetSec
    offsetSec += endSec - startSec
    return (captions[index] ?? []).map((caption) => ({
      ...caption,
      startSec: caption.startSec + before,
      endSec: caption.endSec + before,
    }))
  })
  return writeCaptions(shifted)
}
