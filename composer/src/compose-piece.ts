import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { heardIn, microphonesOf } from './activity.ts'
import { castSpans, placesOf, withoutFrozen } from './cast.ts'
import { soundStretches } from './exhibit-sound.ts'
import { type Exhibit, type ExhibitMedia, placeExhibits } from './exhibits.ts'
import type { Encoding } from './ffmpeg-arguments.ts'
import { findFonts } from './fonts.ts'
import { type CaptureAbsence, type Losses, lossesOf } from './losses.ts'
import { mixAudio, mixedRange, type SoundRange } from './mix-audio.ts'
import { AUDIO_RATE } from './opus.ts'
import {
  type Piece,
  type PieceEnd,
  pictureOf,
  soundFileOf,
  voiceFileOf,
  writeSummary,
} from './pieces.ts'
import type { CompositionPlan } from './plan.ts'
import { quietFrame } from './quiet-frame.ts'
import type { Material } from './read-material.ts'
import { renderScenes } from './render.ts'
import { planScenes } from './scenes.ts'
import { focusChanges, type FocusChange } from './speech.ts'
import type { Spotlight } from './spotlights.ts'
import { writeVoicePackets } from './write-voice.ts'

/** A stretch of one capture that is to be composed. */
export interface PieceOrder {
  plan: CompositionPlan
  encoding: Encoding
  program: string
  /** The capture, or what its next piece needs of it. */
  material: Material
  exhibits: readonly Exhibit[]
  exhibitMedia: ReadonlyMap<string, ExhibitMedia>
  spotlights: readonly Spotlight[]
  /** Identities whose place is known. */
  places: readonly string[]
  /** The end of the piece before. By default, the piece begins with the capture. */
  after?: PieceEnd | undefined
  /** The frame after the piece, counted from the start of the capture. */
  toFrame: number
  isLast: boolean
  hasVoices: boolean
  /** The folder that the piece is made in. */
  folder: string
  /** Called with the number of frames drawn so far. */
  onProgress: (frames: number) => void
}

/** A packet that arrives later than this is missing in a piece of a running capture. */
const LATE_MS = 10_000
/** A piece ends within this time before that, where it is quietest. */
const CHOICE_MS = 5_000
/** A shorter piece costs more than it saves. */
const PIECE_MIN_MS = 20_000
/** A piece reads this much before its start, so that the clocks of the senders are known. */
const CLOCKS_MS = 30_000
/** The packets of a frame arrive within this time. */
const FRAME_MS = 1_000

/** The frame at which the next piece of a running capture may end. Undefined if that is too early. */
export function nextEnd(
  material: Material,
  { after, frameRate }: { after: PieceEnd | undefined; frameRate: number },
): number | undefined {
  const { startMs, endMs, voices } = material
  const frameAt = (ms: number) => Math.floor(((ms - startMs) * frameRate) / 1000)
  const earliest = (after?.frame ?? 0) + Math.ceil((PIECE_MIN_MS * frameRate) / 1000)
  const lastFrame = frameAt(endMs - LATE_MS)
  return quietFrame({
    voices: voices.map(({ audio }) => audio),
    firstFrame: Math.max(earliest, frameAt(endMs - LATE_MS - CHOICE_MS)),
    lastFrame,
    msOf: (frame) => startMs + (frame * 1000) / frameRate,
    without: lossesOf(material).empty,
  })
}

/** The moments and frames of a piece, by the clock of its capture. */
interface Times {
  fromFrame: number
  fromMs: number
  toMs: number
  frameOf: (ms: number) => number
  sound: SoundRange
}

/** Composes one piece of a capture into its folder. Undefined if it is over before it begins. */
export async function composePiece(order: PieceOrder): Promise<Piece | undefined> {
  const { plan, material, folder, encoding, program } = order
  if (order.toFrame <= (order.after?.frame ?? 0)) return undefined
  await mkdir(folder, { recursive: true })
  const times = timesOf(order)
  const losses = lossesOf(material)
  const places = placesOf([material.events], [...order.places, ...(order.after?.places ?? [])])
  const focus = focusIn(order, times)
  const sound = async () => {
    if (!plan.hasSound) return
    const exhibits = soundStretches(exhibitsHeard(order, times), encoding.frameRate)
    const audioTracks = material.voices.map((voice) => voice.audio)
    const mix = { ...times.sound, audioTracks, exhibits, startMs: material.startMs }
    await mixAudio(mix, { program, encoding, file: soundFileOf(folder) })
  }
  const picture = async () => {
    if (plan.hasPicture) await render(order, times, { losses, places, focus })
  }
  await Promise.all([sound(), picture()])
  const voices = await writeVoices(order, times)
  return writeSummary(folder, {
    encoding,
    isLast: order.isLast,
    fromFrame: times.fromFrame,
    end: endOf(order, times, { places, focus }),
    voices,
    heard: heardIn({ ...material, ...times }),
    absences: within(losses.absences, times),
    tracks: losses.tracks,
  })
}

function timesOf({ material: { startMs }, after, toFrame, isLast, encoding }: PieceOrder): Times {
  const { frameRate } = encoding
  const fromFrame = after?.frame ?? 0
  const msOf = (frame: number) => startMs + (frame * 1000) / frameRate
  const sampleOf = (frame: number) => Math.round((frame * AUDIO_RATE) / frameRate)
  return {
    fromFrame,
    fromMs: msOf(fromFrame),
    toMs: msOf(toFrame),
    frameOf: (ms) => Math.round(((ms - startMs) / 1000) * frameRate),
    sound: { from: sampleOf(fromFrame), to: sampleOf(toFrame), isLast },
  }
}

/** The changes of the focus in a piece. The first one is that of the piece before. */
function focusIn({ material, after }: PieceOrder, { fromMs }: Times): FocusChange[] {
  const voices = material.voices.map(({ participant, audio }) => {
    return { participant, units: audio.units }
  })
  const changes = focusChanges(voices)
  const speaker = after?.speaker
  if (speaker === undefined) return changes
  return [{ fromMs, participant: speaker }, ...changes.filter((change) => change.fromMs > fromMs)]
}

/** The exhibits that are mixed: the sound of a piece begins before it, and ends after it unless it is the last one. */
function exhibitsHeard(order: PieceOrder, { frameOf, toMs, sound }: Times) {
  const { material, exhibits, exhibitMedia, isLast } = order
  const msOf = (sample: number) => material.startMs + (sample * 1000) / AUDIO_RATE
  const range = mixedRange(sound)
  return placeExhibits(exhibits, (file) => exhibitMedia.get(file), {
    startMs: Math.max(material.startMs, msOf(range.from)),
    endMs: isLast ? toMs : msOf(range.to),
    frameOf,
  })
}

interface Arranged {
  losses: Losses
  places: readonly string[]
  focus: readonly FocusChange[]
}

async function render(
  order: PieceOrder,
  { fromMs, toMs, frameOf }: Times,
  { losses, places, focus }: Arranged,
): Promise<void> {
  const { plan, material, program, encoding, folder, onProgress } = order
  const layout = order.after?.layout ?? plan.layout
  const cast = castSpans(material.events, { fromMs, toMs, layout, places })
  const shown = { startMs: fromMs, endMs: toMs, frameOf }
  const scenes = planScenes(withoutFrozen(cast, losses.dark), focus, {
    canvas: encoding,
    frameOf,
    isFill: plan.isFill,
    exhibits: placeExhibits(order.exhibits, (file) => order.exhibitMedia.get(file), shown),
    spotlights: order.spotlights,
    empty: losses.empty,
  })
  const rendered = { videoTracks: material.videoTracks, frameOf }
  await renderScenes(scenes, rendered, {
    program,
    encoding,
    labels: { program, fonts: findFonts(), folder },
    file: pictureOf(folder),
    threads: Math.max(1, Math.floor(availableParallelism() / 2)),
    onProgress,
  })
}

/** Writes the packets of each person whose microphone sent anything, however quiet. Returns their identities. */
async function writeVoices(
  { material, hasVoices, folder }: PieceOrder,
  { sound }: Times,
): Promise<string[]> {
  if (!hasVoices) return []
  const microphones = microphonesOf(material).filter(({ audio }) => audio.units.length > 0)
  const identities = [...new Set(microphones.map(({ identity }) => identity))]
  for (const [index, identity] of identities.entries()) {
    const own = microphones.filter((each) => each.identity === identity)
    const range = { ...sound, startMs: material.startMs }
    await writeVoicePackets(
      voiceFileOf(folder, index),
      own.map(({ audio }) => audio),
      range,
    )
  }
  return identities
}

function within(absences: readonly CaptureAbsence[], { fromMs, toMs }: Times): CaptureAbsence[] {
  return absences
    .map((absence) => ({
      ...absence,
      fromMs: Math.max(fromMs, absence.fromMs),
      toMs: Math.min(toMs, absence.toMs),
    }))
    .filter((absence) => absence.fromMs < absence.toMs)
}

function endOf(
  { plan, after, toFrame, material }: PieceOrder,
  { toMs }: Times,
  { places, focus }: Pick<Arranged, 'places' | 'focus'>,
): PieceEnd {
  const layouts = material.events.filter(({ fact, atMs }) => fact === 'layout' && atMs < toMs)
  const last = layouts.at(-1)
  return {
    frame: toFrame,
    ms: toMs,
    layout: last?.fact === 'layout' ? last.layout : (after?.layout ?? plan.layout),
    speaker: focus.findLast((change) => change.fromMs < toMs)?.participant,
    places,
    neededMs: Math.min(toMs - CLOCKS_MS, ...keyFramesBefore(material, toMs)),
  }
}

/** When the picture of each track at a moment began to arrive. */
function keyFramesBefore({ videoTracks }: Material, ms: number): number[] {
  return videoTracks.flatMap(({ units }) => {
    let keyMs: number | undefined
    for (const { isKeyFrame, timeMs, atMs } of units) {
      if (timeMs > ms) break
      if (isKeyFrame) keyMs = atMs
    }
    return keyMs === undefined ? [] : [keyMs - FRAME_MS]
  })
}
