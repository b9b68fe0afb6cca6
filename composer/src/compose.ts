import { mkdir, readdir, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { type CaptureEvent, readCaptureEvents, type TrackRole } from './capture/capture-events.ts'
import { castSpans } from './cast.ts'
import type { Encoding } from './ffmpeg-arguments.ts'
import { findFonts } from './fonts.ts'
import type { Size } from './layouts.ts'
import { mixAudio } from './mix-audio.ts'
import { renderScenes } from './render.ts'
import { planScenes } from './scenes.ts'
import { focusChanges } from './speech.ts'
import { type VideoMedia, readPersonMedia, type AudioMedia } from './track-media.ts'

/** What is to be made of a capture. */
export interface CompositionPlan {
  layout: string
  /** One picture fills everything, as for the recording of one participant. */
  isFill: boolean
  hasPicture: boolean
  hasSound: boolean
  /** Without a size, the source's own. */
  encoding: Omit<Encoding, keyof Size> & Partial<Size>
}

export interface CompositionJob {
  plan: CompositionPlan
  program: string
  /** Has the events and the logs of the tracks. */
  captureFolder: string
  /** For what is needed meanwhile; emptied at the end. */
  scratchFolder: string
  file: string
}

interface PublishedTrack {
  participant: string
  track: string
  role: TrackRole
}

interface Voice {
  participant: string
  audio: AudioMedia
}

interface Material {
  events: readonly CaptureEvent[]
  startMs: number
  endMs: number
  videoTracks: VideoMedia[]
  voices: Voice[]
}

const DEFAULT_SIZE = { width: 640, height: 480 }

/** Makes one MP4 file of what was captured. Answers its length in milliseconds. */
export async function compose(job: CompositionJob): Promise<number> {
  await mkdir(job.scratchFolder, { recursive: true })
  const material = await readMaterial(job)
  const durationMs = material.endMs - material.startMs
  const encoding = { ...sizeOf(job.plan, material.videoTracks), ...job.plan.encoding }
  const audio = job.plan.hasSound ? path.join(job.scratchFolder, 'sound.m4a') : undefined
  const onlyAudio = job.plan.hasPicture ? undefined : job.file
  const mixed = onlyAudio ?? audio
  if (mixed !== undefined) {
    const { startMs } = material
    const audioTracks = material.voices.map((voice) => voice.audio)
    const options = { program: job.program, encoding, startMs, durationMs, file: mixed }
    await mixAudio(audioTracks, options)
  }
  if (job.plan.hasPicture) await render(job, material, { encoding, audio })
  await rm(job.scratchFolder, { recursive: true, force: true })
  return durationMs
}

async function render(
  { plan, program, scratchFolder, file }: CompositionJob,
  { events, startMs, endMs, videoTracks, voices }: Material,
  { encoding, audio }: { encoding: Encoding; audio: string | undefined },
): Promise<void> {
  const spans = castSpans(events, { fromMs: startMs, toMs: endMs, layout: plan.layout })
  const focus = focusChanges(
    voices.map((voice) => ({ participant: voice.participant, units: voice.audio.units })),
  )
  const { frameRate } = encoding
  const scenes = planScenes(spans, focus, {
    canvas: encoding,
    frameRate,
    startMs,
    isFill: plan.isFill,
  })
  await renderScenes(scenes, videoTracks, {
    program,
    encoding,
    labels: { program, fonts: findFonts(), folder: scratchFolder },
    frameOf: (ms) => Math.round(((ms - startMs) / 1000) * frameRate),
    audio,
    file,
    threads: Math.max(1, Math.floor(availableParallelism() / 2)),
  })
}

async function readMaterial({
  plan,
  captureFolder,
  scratchFolder,
}: CompositionJob): Promise<Material> {
  const events = await readCaptureEvents(path.join(captureFolder, 'facts.jsonl'))
  const logs = new Set(await readdir(captureFolder))
  const tracks = events.flatMap((fact): PublishedTrack[] => {
    return fact.fact === 'published' && logs.has(`${fact.track}.rtp`) ? [fact] : []
  })
  const material: Pick<Material, 'videoTracks' | 'voices'> = { videoTracks: [], voices: [] }
  const folder = { capture: captureFolder, scratch: scratchFolder }
  for (const participant of new Set(tracks.map((one) => one.participant))) {
    const own = tracks.filter((one) => one.participant === participant)
    const { videoTracks, audioTracks } = await readPersonMedia(folder, {
      video: distinct(own.filter(({ role }) => isVideo(role))),
      audio: distinct(own.filter(({ role }) => !isVideo(role))),
    })
    material.videoTracks.push(...videoTracks)
    material.voices.push(...audioTracks.map((audio) => ({ participant, audio })))
  }
  const startMs = events.find(({ fact }) => fact === 'active')?.atMs ?? Infinity
  const endMs = events.find(({ fact }) => fact === 'stopped')?.atMs ?? lastMoment(events, material)
  if (endMs <= startMs) throw new Error('nothing was captured')
  // Sound and picture are equally long, so that another recording can follow without a gap.
  const { frameRate } = plan.encoding
  const frames = Math.ceil(((endMs - startMs) * frameRate) / 1000)
  return { events, startMs, endMs: startMs + (frames * 1000) / frameRate, ...material }
}

/** Where a capture ends that was not ended: with the last that came. */
function lastMoment(
  events: readonly CaptureEvent[],
  { videoTracks, voices }: Pick<Material, 'videoTracks' | 'voices'>,
): number {
  const tracks = [...videoTracks, ...voices.map((voice) => voice.audio)]
  const moments = tracks.map(({ units }) => units.at(-1)?.atMs ?? 0)
  return Math.max(events.at(-1)?.atMs ?? 0, ...moments)
}

function distinct(tracks: readonly PublishedTrack[]): string[] {
  return [...new Set(tracks.map(({ track }) => track))]
}

function isVideo(role: TrackRole): boolean {
  return role === 'camera' || role === 'screen'
}

function sizeOf(plan: CompositionPlan, videoTracks: readonly VideoMedia[]): Size {
  const { width, height } = plan.encoding
  if (width !== undefined && height !== undefined) return { width, height }
  const sizes = videoTracks.flatMap(({ units }) => units)
  const largest = sizes.reduce<Size>(
    (best, unit) => (unit.width * unit.height > best.width * best.height ? unit : best),
    { width: 0, height: 0 },
  )
  if (largest.width === 0) return DEFAULT_SIZE
  return { width: largest.width & ~1, height: largest.height & ~1 }
}
