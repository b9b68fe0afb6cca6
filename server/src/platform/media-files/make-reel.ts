import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ObjectLocation } from '../ports/storage.ts'
import { type CaptionLine, drawingFilters } from './draw-text.ts'
import { ENCODING_ARGS, inputArgs, MP4_ARGS, type VideoForm } from './ffmpeg-args.ts'
import { joinVideos } from './join-videos.ts'
import { measureVideo } from './measure-video.ts'
import { runFfmpeg } from './run-ffmpeg.ts'
import { type TrimJob, type TrimmedVideo, trimVideo, SAME_COLOURS } from './trim-video.ts'

interface ReelPart {
  source: ObjectLocation
  startSec: number
  endSec: number
  /** By the time of the part. */
  captions: readonly CaptionLine[]
}

export interface ReelJob extends Pick<
  TrimJob,
  'folder' | 'deadlineMs' | 'signal' | 'log' | 'onProgress'
> {
  parts: readonly ReelPart[]
  /** The lines of the title card, and how long it is shown; without lines there is none. */
  card: { lines: readonly string[]; sec: number }
  watermark: string | null
  /** A track of captions as WebVTT. */
  track: string | null
}

/** Longer parts are made in pieces, so that a run draws few captions. */
const PIECE_SEC = 300

/**
 * Makes one video of ranges of videos: each becomes a file of the same size, rate and sound, and these are joined without encoding
 * them again. Throws like `trimVideo` and `joinVideos`.
 */
export async function makeReel(ffmpeg: string, job: ReelJob): Promise<TrimmedVideo> {
  const { folder, signal, log, deadlineMs, watermark, track, card } = job
  const form = await formOf(job)
  const made: string[] = []
  let doneSec = 0
  if (card.lines.length > 0) {
    made.push(await makeCard(ffmpeg, job, form))
    doneSec += card.sec
  }
  for (const part of job.parts.flatMap(piecesOf)) {
    const before = doneSec
    const { captions, ...range } = part
    const { path: trimmed } = await trimVideo(ffmpeg, {
      ...range,
      folder,
      signal,
      log,
      deadlineMs,
      form,
      fileName: `part-${made.length}.mp4`,
      text: { captions, card: [], watermark, fromSec: before },
      onProgress: (sec) => job.onProgress?.(before + sec),
    })
    made.push(trimmed)
    doneSec += range.endSec - range.startSec
  }
  const parts = made.map((file) => ({ kind: 'path', path: file }) as const)
  const joined = await joinVideos(ffmpeg, { parts, folder, deadlineMs, signal, log })
  for (const file of made) await rm(file, { force: true })
  return track === null ? joined : addTrack(ffmpeg, job, { joined, track })
}

/** The largest size and the fastest rate of the videos. Sizes are even, as H.264 requires. */
async function formOf({ parts, signal }: ReelJob): Promise<VideoForm> {
  const form = { widthPx: 2, heightPx: 2, frameRate: 1 }
  for (const source of new Set(parts.map((part) => part.source))) {
    const { video } = await measureVideo(source, signal)
    form.widthPx = Math.max(form.widthPx, 2 * Math.ceil((video?.widthPx ?? 0) / 2))
    form.heightPx = Math.max(form.heightPx, 2 * Math.ceil((video?.heightPx ?? 0) / 2))
    form.frameRate = Math.max(form.frameRate, Math.round(video?.frameRate ?? 0))
  }
  return form
}

function piecesOf({ source, startSec, endSec, captions }: ReelPart): ReelPart[] {
  const count = Math.max(1, Math.ceil((endSec - startSec) / PIECE_SEC))
  const lengthSec = (endSec - startSec) / count
  return Array.from({ length: count }, (_, index) => {
    const [from, to] = [index * lengthSec, (index + 1) * lengthSec]
    return {
      source,
      startSec: startSec + from,
      endSec: startSec + to,
      captions: captions
        .filter((line) => line.startSec < to && line.endSec > from)
        .map((line) => ({ ...line, startSec: line.startSec - from, endSec: line.endSec - from })),
    }
  })
}

async function makeCard(
  ffmpeg: string,
  { card, watermark, ...job }: ReelJob,
  { widthPx, heightPx, frameRate }: VideoForm,
): Promise<string> {
  const target = path.join(job.folder, 'card.mp4')
  const text = { captions: [], card: card.lines, watermark, fromSec: 0 }
  const drawn = await drawingFilters(text, { widthPx, heightPx }, job.folder)
  const { onProgress: _, ...run } = job
  await runFfmpeg(ffmpeg, {
    ...run,
    args: [
      ...'-f lavfi -i'.split(' '),
      `color=c=0x181818:s=${widthPx}x${heightPx}:r=${frameRate}`,
      ...'-f lavfi -i anullsrc=r=48000:cl=stereo'.split(' '),
      '-vf',
      [...drawn, SAME_COLOURS].join(','),
      '-t',
      String(card.sec),
      ...ENCODING_ARGS,
      ...MP4_ARGS,
      `file:${target}`,
    ],
  })
  return target
}

async function addTrack(
  ffmpeg: string,
  { folder, signal, log, deadlineMs }: ReelJob,
  { joined, track }: { joined: TrimmedVideo; track: string },
): Promise<TrimmedVideo> {
  const target = path.join(folder, 'reel.mp4')
  await writeFile(path.join(folder, 'captions.vtt'), track, { mode: 0o600 })
  const captions = ['-protocol_whitelist', 'file', '-f', 'webvtt', '-i', 'file:captions.vtt']
  await runFfmpeg(ffmpeg, {
    folder,
    signal,
    log,
    deadlineMs,
    args: [
      ...inputArgs({ kind: 'path', path: joined.path }),
      ...captions,
      ...'-map 0 -map 1 -c copy -c:s mov_text'.split(' '),
      ...MP4_ARGS,
      `file:${target}`,
    ],
  })
  return { ...joined, path: target }
}
