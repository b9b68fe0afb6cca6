import { mkdir, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { type Activity, activitiesOf, microphonesOf } from './activity.ts'
import { castSpans, placesOf, withoutFrozen } from './cast.ts'
import { soundStretches } from './exhibit-sound.ts'
import { type Exhibit, type ExhibitMedia, type PlacedExhibit, placeExhibits } from './exhibits.ts'
import type { Encoding } from './ffmpeg-arguments.ts'
import { findFonts } from './fonts.ts'
import type { Size } from './layouts.ts'
import { type CaptureAbsence, type AnnouncedTrack, type Losses, lossesOf } from './losses.ts'
import { type MixPart, mixAudio } from './mix-audio.ts'
import { AUDIO_RATE } from './opus.ts'
import { probeExhibit } from './probe-exhibit.ts'
import { EmptyCapturesError, type Material, readMaterials } from './read-material.ts'
import { renderScenes } from './render.ts'
import { planScenes } from './scenes.ts'
import { focusChanges } from './speech.ts'
import type { Spotlight } from './spotlights.ts'
import type { VideoMedia } from './track-media.ts'
import { writeVoice } from './write-voice.ts'

/** The form of the recording. */
export interface CompositionPlan {
  layout: string
  /** One picture fills everything, as for the recording of one participant. */
  isFill: boolean
  hasPicture: boolean
  hasSound: boolean
  /** Without a size, the source's own is used. */
  encoding: Omit<Encoding, keyof Size> & Partial<Size>
}

/** The source of one part of the recording. */
export interface Capture {
  /** The folder with the events and the logs of the tracks. */
  folder: string
  /** Images and videos that were shown meanwhile, by the clock of the capture. */
  exhibits: readonly Exhibit[]
  /** In order; none by default. */
  spotlights?: readonly Spotlight[] | undefined
  /** Nothing after this is used; in milliseconds by the clock of the capture. By default, its end. */
  untilMs?: number | undefined
}

export interface CompositionJob {
  plan: CompositionPlan
  program: string
  /** Consecutive captures. Time between them is cut out. */
  captures: readonly Capture[]
  /**
   * Identities in the order of their tiles in all captures. Everybody else follows by their first appearance; by default, that is
   * everybody.
   */
  places?: readonly string[] | undefined
  /** A folder for temporary files; emptied at the end. */
  scratchFolder: string
  file: string
  /** A folder for the sound of each person alone. By default, there is none. */
  voiceFolder?: string | undefined
}

/** One capture, and its place in the recording. */
interface Part extends Material {
  losses: Losses
  index: number
  /** The index of the capture. */
  capture: number
  fromFrame: number
  toFrame: number
  exhibits: readonly PlacedExhibit[]
  spotlights: readonly Spotlight[]
  frameOf: (ms: number) => number
}

/** In milliseconds. */
export interface Composed {
  durationMs: number
  /** One entry for each capture. */
  captures: readonly ComposedCapture[]
  activities: readonly Activity[]
  voices: readonly Voice[]
}

/** The sound of one person alone: as long as the recording, silent while they are. */
export interface Voice {
  /** As of an activity. */
  identity: string
  file: string
}

interface ComposedCapture {
  /** How much of the file it takes; 0 if nothing of it may be used. */
  durationMs: number
  /** The parts of it that lack media. */
  absences: readonly CaptureAbsence[]
  tracks: readonly AnnouncedTrack[]
}

const DEFAULT_SIZE = { width: 640, height: 480 }
/** The share of the progress before drawing, which is the rest. */
const SOUND_SHARE = 0.1

/**
 * Makes one MP4 file of the captures; returns its length, and what the captures lack. `onProgress` gets the finished share, 0 to 1. Throws
 * `UnreadableCaptureError`, `EmptyCapturesError`.
 */
export async function compose(
  job: CompositionJob,
  onProgress: (share: number) => void = () => {},
): Promise<Composed> {
  await mkdir(job.scratchFolder, { recursive: true })
  const materials = await readMaterials(
    job.captures.map(({ folder }) => folder),
    job.scratchFolder,
  )
  const videoTracks = materials.flatMap((one) => one.videoTracks)
  const encoding = { ...sizeOf(job.plan, videoTracks), ...job.plan.encoding }
  const exhibitMedia = await probeAll(job)
  const losses = materials.map(lossesOf)
  const parts = placeParts(materials, { job, encoding, exhibitMedia, losses })
  if (parts.length === 0) throw new EmptyCapturesError('nothing of the captures may be used')
  const audio = job.plan.hasSound ? path.join(job.scratchFolder, 'sound.m4a') : undefined
  const mixed = job.plan.hasPicture ? audio : job.file
  if (mixed !== undefined) {
    const sounds = parts.map((part) => soundOf(part, encoding))
    await mixAudio(sounds, { program: job.program, encoding, file: mixed })
    onProgress(SOUND_SHARE)
  }
  if (job.plan.hasPicture) {
    const onDrawn = (share: number) => onProgress(SOUND_SHARE + share * (1 - SOUND_SHARE))
    await render(job, parts, { encoding, audio, onProgress: onDrawn })
  }
  const composed = composedOf(parts, losses, encoding)
  const voices = await writeVoices(job, parts, encoding)
  await rm(job.scratchFolder, { recursive: true, force: true })
  return { ...composed, voices }
}

/** Writes the sound of each person whose microphone sent anything, however quiet. */
async function writeVoices(
  { program, voiceFolder }: CompositionJob,
  parts: readonly Part[],
  encoding: Encoding,
): Promise<Voice[]> {
  if (voiceFolder === undefined) return []
  const microphones = parts.map((part) =>
    microphonesOf(part).filter(({ audio }) => audio.units.length > 0),
  )
  const voices: Voice[] = []
  for (const identity of new Set(microphones.flat().map((each) => each.identity))) {
    const file = path.join(voiceFolder, `voice-${voices.length}.webm`)
    const sounds = parts.map((part, index) => ({
      ...soundOf(part, encoding),
      audioTracks: (microphones[index] ?? [])
        .filter((each) => each.identity === identity)
        .map(({ audio }) => audio),
    }))
    await writeVoice(program, file, sounds)
    voices.push({ identity, file })
  }
  return voices
}

function composedOf(
  parts: readonly Part[],
  losses: readonly Losses[],
  encoding: Pick<Encoding, 'frameRate'>,
): Omit<Composed, 'voices'> {
  const msOf = (frames: number) => (frames * 1000) / encoding.frameRate
  const captures = losses.map(({ absences, tracks }, capture) => {
    const part = parts.find((each) => each.capture === capture)
    const durationMs = part === undefined ? 0 : msOf(part.toFrame - part.fromFrame)
    return { durationMs, absences, tracks }
  })
  const durationMs = msOf(parts.at(-1)?.toFrame ?? 0)
  const heard = parts.map((part) => heardIn(part, encoding))
  return { durationMs, captures, activities: activitiesOf(heard, durationMs) }
}

function heardIn(part: Part, { frameRate }: Pick<Encoding, 'frameRate'>) {
  return { ...part, offsetMs: (part.fromFrame * 1000) / frameRate }
}

async function probeAll({
  captures,
  program,
}: CompositionJob): Promise<ReadonlyMap<string, ExhibitMedia>> {
  const found = new Map<string, ExhibitMedia>()
  for (const exhibit of captures.flatMap(({ exhibits }) => exhibits)) {
    if (found.has(exhibit.file)) continue
    const media = await probeExhibit(program, exhibit)
    if (media !== undefined) found.set(exhibit.file, media)
  }
  return found
}

interface Placement {
  job: CompositionJob
  encoding: Encoding
  exhibitMedia: ReadonlyMap<string, ExhibitMedia>
  /** One entry for each material. */
  losses: readonly Losses[]
}

/** Places one part after another. Each has whole frames, so that its audio and video have the same length. */
function placeParts(
  materials: readonly Material[],
  { job, encoding: { frameRate }, exhibitMedia, losses }: Placement,
): Part[] {
  const parts: Part[] = []
  for (const [index, material] of materials.entries()) {
    const { startMs } = material
    const fromFrame = parts.at(-1)?.toFrame ?? 0
    const frames = framesOf(material, job.captures[index]?.untilMs, frameRate)
    if (frames <= 0) continue
    const endMs = startMs + (frames * 1000) / frameRate
    const frameOf = (ms: number) => fromFrame + Math.round(((ms - startMs) / 1000) * frameRate)
    const { exhibits = [], spotlights = [] } = job.captures[index] ?? {}
    const place = { part: parts.length, startMs, endMs, frameOf }
    parts.push({
      ...material,
      losses: losses[index] ?? lossesOf(material),
      index: parts.length,
      capture: index,
      endMs,
      fromFrame,
      toFrame: fromFrame + frames,
      exhibits: placeExhibits(exhibits, (file) => exhibitMedia.get(file), place),
      spotlights,
      frameOf,
    })
  }
  return parts
}

/** A whole number of frames: rounded up at the end, rounded down where later media must not be used. */
function framesOf(
  { startMs, endMs }: Material,
  untilMs: number | undefined,
  frameRate: number,
): number {
  return untilMs === undefined || untilMs >= endMs
    ? Math.ceil(((endMs - startMs) * frameRate) / 1000)
    : Math.floor(((untilMs - startMs) * frameRate) / 1000)
}

function soundOf(part: Part, { frameRate }: Encoding): MixPart {
  const sampleOf = (frame: number) => Math.round((frame * AUDIO_RATE) / frameRate)
  const { fromFrame, toFrame, startMs } = part
  return {
    audioTracks: part.voices.map((voice) => voice.audio),
    exhibits: soundStretches(part.exhibits, { fromFrame, frameRate }),
    startMs,
    from: sampleOf(fromFrame),
    to: sampleOf(toFrame),
  }
}

interface RenderWay {
  encoding: Encoding
  audio: string | undefined
  onProgress: (share: number) => void
}

async function render(
  { plan, program, scratchFolder, file, places: known = [] }: CompositionJob,
  parts: readonly Part[],
  { encoding, audio, onProgress }: RenderWay,
): Promise<void> {
  const places = placesOf(
    parts.map(({ events }) => events),
    known,
  )
  const scenes = parts.flatMap((part) => {
    const { events, startMs, endMs, voices, index, losses } = part
    const { layout } = plan
    const cast = castSpans(events, { fromMs: startMs, toMs: endMs, layout, places })
    const focus = focusChanges(
      voices.map((voice) => ({ participant: voice.participant, units: voice.audio.units })),
    )
    return planScenes(withoutFrozen(cast, losses.dark), focus, {
      ...part,
      empty: losses.empty,
      canvas: encoding,
      isFill: plan.isFill,
      part: index,
    })
  })
  await renderScenes(scenes, parts, {
    program,
    encoding,
    labels: { program, fonts: findFonts(), folder: scratchFolder },
    audio,
    file,
    threads: Math.max(1, Math.floor(availableParallelism() / 2)),
    onProgress,
  })
}

function sizeOf(plan: CompositionPlan, videoTracks: readonly VideoMedia[]): Size {
  const { width, height } = plan.encoding
  if (width !== undefined && height !== undefined) return { width, height }
  let largest: Size = { width: 0, height: 0 }
  for (const { units } of videoTracks) {
    for (const unit of units) {
      if (unit.width * unit.height > largest.width * largest.height) largest = unit
    }
  }
  if (largest.width === 0) return DEFAULT_SIZE
  return { width: largest.width & ~1, height: largest.height & ~1 }
}
