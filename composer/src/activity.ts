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

/** The sound of one part of the file. */
export interface HeardPart<Audio extends HeardAudio = HeardAudio> {
  voices: readonly { participant: string; audio: Audio }[]
  events: readonly CaptureEvent[]
  /** The part by the clock of its capture. */
  startMs: number
  endMs: number
  /** Start of the part in the file. */
  offsetMs: number
}

const SILENCE = 127
/** A break below this length belongs to the speech around it. */
const BREAK_MIN_MS = 1_000

/** The activity of everybody whose microphone is heard, in the order of their first sound. */
export function activitiesOf(parts: readonly HeardPart[], durationMs: number): Activity[] {
  const found = new Map<string, Activity>()
  for (const part of parts) {
    for (const { identity, audio } of microphonesOf(part)) {
      const activity = found.get(identity) ?? {
        identity,
        speech: [],
        levels: Array.from({ length: Math.ceil(durationMs / 1000) }, () => 0),
      }
      found.set(identity, activity)
      noteLevels(activity.levels, audio.units, part)
      activity.speech.push(...speechOf(audio.units, part))
    }
  }
  return Array.from(found.values(), (each) => ({ ...each, speech: withoutBreaks(each.speech) }))
}

/** The microphones of everybody, with the identities of these people. */
export function microphonesOf<Audio extends HeardAudio>(
  part: Pick<HeardPart<Audio>, 'voices' | 'events'>,
): { identity: string; audio: Audio }[] {
  return part.voices
    .filter(({ audio }) => isMicrophone(part, audio.track))
    .map(({ participant, audio }) => ({ identity: identityOf(part, participant), audio }))
}

function isMicrophone({ events }: Pick<HeardPart, 'events'>, track: string): boolean {
  return events.some(
    (event) => event.fact === 'published' && event.track === track && event.role === 'microphone',
  )
}

function identityOf({ events }: Pick<HeardPart, 'events'>, participant: string): string {
  const joined = events.find(
    (event) => event.fact === 'joined' && event.participant === participant,
  )
  return (joined?.fact === 'joined' ? joined.identity : undefined) ?? participant
}

function noteLevels(
  levels: number[],
  units: Iterable<AudioUnit>,
  { startMs, endMs, offsetMs }: HeardPart,
): void {
  for (const { timeMs, level } of units) {
    if (timeMs < startMs || timeMs >= endMs) continue
    const second = Math.floor((offsetMs + timeMs - startMs) / 1000)
    levels[second] = Math.max(levels[second] ?? 0, SILENCE - level)
  }
}

function speechOf(units: Iterable<AudioUnit>, { startMs, endMs, offsetMs }: HeardPart): FileSpan[] {
  return [...spokenWindows(units).keys()].flatMap((window) => {
    const fromMs = Math.max(startMs, window * SPEECH_WINDOW_MS)
    const toMs = Math.min(endMs, (window + 1) * SPEECH_WINDOW_MS)
    if (toMs <= fromMs) return []
    return [{ fromMs: offsetMs + fromMs - startMs, toMs: offsetMs + toMs - startMs }]
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
