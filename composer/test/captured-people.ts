import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  type CaptureEvent,
  encodeCaptureEvent,
  type TrackRole,
} from '../src/capture/capture-events.ts'
import { encodeRecord } from '../src/capture/rtp-log.ts'
import { audioOf, videoOf } from './sample-media.ts'

/** The beginning of each sample capture, in milliseconds since 1970. */
export const BEGAN_AT = Date.UTC(2026, 5, 1)

const EVERY_MS: Record<TrackRole, number> = {
  microphone: 20,
  'screen-sound': 20,
  camera: 100,
  screen: 100,
}
const UNITS_PER_MS: Record<TrackRole, number> = {
  microphone: 48,
  'screen-sound': 48,
  camera: 90,
  screen: 90,
}

/** A track, named after its person and role, such as `alice-camera`. Times are in milliseconds from the beginning. */
export interface SampleTrack {
  role: TrackRole
  /** The times when packets are sent. */
  sent: readonly (readonly [fromMs: number, toMs: number])[]
  /** Packets that are sent in this time arrive at its end, all at once. */
  heldBack?: readonly [fromMs: number, toMs: number]
  publishedMs?: number
  isEncrypted?: true
  /** Loudness as for an activity; 30 by default. */
  level?: number
  colour?: string
  /** Such as `64x48`. */
  size?: string
}

interface SamplePerson {
  name: string
  tracks: readonly SampleTrack[]
}

interface SampleCapture {
  lengthMs: number
  people: readonly SamplePerson[]
  /** More events. Times are in milliseconds from the beginning. */
  events?: readonly CaptureEvent[]
}

/** Writes a capture of these people into a folder. Their identities are their names. */
export async function writeCapture(
  folder: string,
  { lengthMs, people, events: further = [] }: SampleCapture,
): Promise<void> {
  const events: CaptureEvent[] = [
    ...people.map(({ name }) => {
      const participant = `PA_${name}`
      return { fact: 'joined', atMs: 0, participant, identity: name, name } as const
    }),
    { fact: 'active', atMs: 0 },
    ...further,
  ]
  for (const { name, tracks } of people) {
    for (const track of tracks) {
      const { role, publishedMs: atMs = 0, isEncrypted } = track
      const sid = `${name}-${role}`
      const participant = `PA_${name}`
      events.push({
        fact: 'published',
        atMs,
        participant,
        track: sid,
        role,
        isMuted: false,
        ...(isEncrypted && { isEncrypted }),
      })
      const log = await logOf(track, events.length)
      if (log.length > 0) await writeFile(path.join(folder, `${sid}.rtp`), log)
    }
  }
  if (!further.some(({ fact }) => fact === 'stopped'))
    events.push({ fact: 'stopped', atMs: lengthMs })
  const inOrder = events.toSorted((a, b) => a.atMs - b.atMs)
  const lines = inOrder.map((event) =>
    encodeCaptureEvent({
      ...event,
      atMs: BEGAN_AT + event.atMs,
      ...('sinceMs' in event && { sinceMs: BEGAN_AT + event.sinceMs }),
    }),
  )
  await writeFile(path.join(folder, 'facts.jsonl'), Buffer.concat(lines))
}

async function logOf(
  { role, sent, heldBack, level = 30, colour = 'white', size }: SampleTrack,
  ssrc: number,
): Promise<Buffer> {
  const isVideo = role === 'camera' || role === 'screen'
  const payload = isVideo ? await videoOf(colour, size) : await audioOf('sine=1000:r=48000')
  const [everyMs, unitsPerMs] = [EVERY_MS[role], UNITS_PER_MS[role]]
  const packets = sent.flatMap(([fromMs, toMs]) =>
    Array.from({ length: Math.ceil((toMs - fromMs) / everyMs) }, (_, i) => fromMs + i * everyMs),
  )
  return Buffer.concat(
    packets.flatMap((ms) => {
      const isHeld = heldBack !== undefined && ms >= heldBack[0] && ms < heldBack[1]
      const atMs = BEGAN_AT + (isHeld ? heldBack[1] : ms)
      const timestamp = (ms * unitsPerMs) % 2 ** 32
      const packet = encodeRecord({
        kind: 'packet',
        atMs,
        ssrc,
        sequenceNumber: Math.round(ms / everyMs) % 2 ** 16,
        timestamp,
        level,
        payload,
        layer: 0,
        isLast: true,
      })
      if (ms % 1000 !== 0) return [packet]
      const senderMs = BEGAN_AT + ms
      return [packet, encodeRecord({ kind: 'report', atMs, ssrc, senderMs, timestamp })]
    }),
  )
}
