import type { CaptureEvent } from './capture/capture-events.ts'
import { SPEECH_WINDOW_MS, spokenWindows } from './speech.ts'
import type { AudioUnit } from './track-media.ts'

/** A time span in the file, in milliseconds from its start. */
interface FileSpan {
  fromMs: number
  toMs: number
}

interface HeardAudio {
  track: string
  units: Iterable<AudioUnit>
}

/** When one person speaks in the file. */
export interface Activity {
  /** The same on every connection; the id of the connection in captures of former versions. */
  identity: string
  /** In order, without overlaps. */
  speech: FileSpan[]
  /** The loudest sound of each second of the file, in dB above silence: 0 to 127. */
  levels: number[]
}

/** The sound of a piece of the file, by the clock of its capture. */
export interface SoundOfPiece<Audio extends HeardAudio = HeardAudio> {
  voices: readonly { participant: string; audio: Audio }[]
  events: readonly CaptureEvent[]
  fromMs: number
  toMs: number
}

/** When one person speaks in a piece. Stored with the piece as JSON, so the keys must stay. */
export interface HeardPerson {
  identity: string
  /** In order of their tracks, in milliseconds from the start of the piece. */
  speech: readonly FileSpan[]
  /** The loudest sound of each tenth of a second, as in an activity. */
  levels: readonly number[]
}

const SILENCE = 127
/** A break below this length belongs to the speech around it. */
const BREAK_MIN_MS = 1_000
/** Pieces begin at any time. A tenth of a second is near enough to find the second of the file. */
const LEVEL_MS = 100

/** Everybody whose microphone is heard in a piece, in the order of their first sound. */
export function heardIn(piece: SoundOfPiece): HeardPerson[] {
  const found = new Map<string, { speech: FileSpan[]; levels: number[] }>()
  for (const { identity, audio } of microphonesOf(piece)) {
    const heard = found.get(identity) ?? {
      speech: [],
      levels: Array.from({ length: Math.ceil((piece.toMs - piece.fromMs) / LEVEL_MS) }, () => 0),
    }
    found.set(identity, heard)
    noteLevels(heard.levels, audio.units, piece)
    heard.speech.push(...speechOf(audio.units, piece))
  }
  return Array.from(found, ([identity, heard]) => ({ identity, ...heard }))
}

/** The activity of everybody in a file of these pieces, in the order of their first sound. */
export function activitiesOf(
  pieces: readonly { heard: readonly HeardPerson[]; offsetMs: number }[],
  durationMs: number,
): Activity[] {
  const found = new Map<string, Activity>()
  for (const { heard, offsetMs } of pieces) {
    for (const { identity, speech, levels } of heard) {
      const activity = found.get(identity) ?? {
        identity,
        speech: [],
        levels: Array.from({ length: Math.ceil(durationMs / 1000) }, () => 0),
      }
      found.set(identity, activity)
      for (const { fromMs, toMs } of speech) {
        activity.speech.push({ fromMs: offsetMs + fromMs, toMs: offsetMs + toMs })
      }
      for (const [index, level] of levels.entries()) {
        const second = Math.floor((offsetMs + index * LEVEL_MS) / 1000)
        activity.levels[second] = Math.max(activity.levels[second] ?? 0, level)
      }
    }
  }
  return Array.from(found.values(), (each) => ({ ...each, speech: withoutBreaks(each.speech) }))
}

/** The microphones of everybody, with the identities of these people. */
export function microphonesOf<Audio extends HeardAudio>(
  piece: Pick<SoundOfPiece<Audio>, 'voices' | 'events'>,
): { identity: string; audio: Audio }[] {
  return piece.voices
    .filter(({ audio }) => isMicrophone(piece, audio.track))
    .map(({ participant, audio }) => ({ identity: identityOf(piece, participant), audio }))
}

function isMicrophone({ events }: Pick<SoundOfPiece, 'events'>, track: string): boolean {
  return events.some(
    (event) => event.fact === 'published' && event.track === track && event.role === 'microphone',
  )
}

function identityOf({ events }: Pick<SoundOfPiece, 'events'>, participant: string): string {
  const joined = events.find(
    (event) => event.fact === 'joined' && event.participant === participant,
  )
  return (joined?.fact === 'joined' ? joined.identity : undefined) ?? participant
}

function noteLevels(
  levels: number[],
  units: Iterable<AudioUnit>,
  { fromMs, toMs }: SoundOfPiece,
): void {
  for (const { timeMs, level } of units) {
    if (timeMs < fromMs || timeMs >= toMs) continue
    const tenth = Math.floor((timeMs - fromMs) / LEVEL_MS)
    levels[tenth] = Math.max(levels[tenth] ?? 0, SILENCE - level)
  }
}

function speechOf(units: Iterable<AudioUnit>, piece: SoundOfPiece): FileSpan[] {
  return [...spokenWindows(units).keys()].flatMap((window) => {
    const fromMs = Math.max(piece.fromMs, window * SPEECH_WINDOW_MS)
    const toMs = Math.min(piece.toMs, (window + 1) * SPEECH_WINDOW_MS)
    if (toMs <= fromMs) return []
    return [{ fromMs: fromMs - piece.fromMs, toMs: toMs - piece.fromMs }]
  })
}

function withoutBreaks(spans: readonly FileSpan[]): FileSpan[] {
  const joined: FileSpan[] = []
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = joined.at(-1)
    if (last !== undefined && span.fromMs - last.toMs < BREAK_MIN_MS) {
      last.toMs = Math.max(last.toMs, span.toMs)
    } else joined.push({ ...span })
  }
  return joined
}
