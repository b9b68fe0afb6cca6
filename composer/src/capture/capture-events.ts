import { open } from 'node:fs/promises'

export type TrackRole = 'camera' | 'microphone' | 'screen' | 'screen-sound'

interface At {
  atMs: number
}

/**
 * An event of a capture, apart from its media. Captures store it as JSON, so the keys must stay. A later release may add events,
 * which are ignored.
 */
export type CaptureEvent = At &
  /** `identity` stays when the person connects again. It is missing in captures from before it was stored. */
  (
    | { fact: 'joined'; participant: string; identity?: string; name: string }
    | { fact: 'renamed'; participant: string; name: string }
    | { fact: 'left'; participant: string }
    | ({ fact: 'published' } & PresentTrack)
    | { fact: 'muted' | 'unmuted' | 'unpublished'; track: string }
    /** The track does not arrive: its codec, such as `video/VP9`, is not captured. */
    | { fact: 'unrecordable'; track: string; codec: string }
    /** The track arrives after all, for example in another codec. */
    | { fact: 'recordable'; track: string }
    | { fact: 'layout'; layout: string }
    /** The connection to the room is restored; nothing has arrived over it since then. */
    | { fact: 'missed'; sinceMs: number }
    /** The capturing process did not run. The machine has buffered only the first seconds for it. */
    | { fact: 'stood_still'; sinceMs: number }
    /** `resumed`: by another process, or after lost events. Everything present is listed again. */
    | { fact: 'active' | 'stopped' | 'resumed' }
    | SnapshotEvent
  )

/**
 * The first event of each later chunk, so that a chunk can be read without the ones before. `afterMs`: the time of the event before
 * it.
 */
interface SnapshotEvent {
  fact: 'snapshot'
  afterMs: number
  /** The time since when the capture is active. */
  activeMs: number
  people: readonly { participant: string; identity: string; name: string }[]
  /** `codec`: the codec of a track that does not arrive, because it is not captured. */
  tracks: readonly (PresentTrack & { codec?: string | undefined })[]
}

interface PresentTrack {
  participant: string
  track: string
  role: TrackRole
  isMuted: boolean
  /** The publisher encrypts it for the other participants. Nothing of it is captured. */
  isEncrypted?: true
}

/** The event without its time. */
export type CaptureEventContent = CaptureEvent extends infer One
  ? One extends CaptureEvent
    ? Omit<One, 'atMs'>
    : never
  : never

export function encodeCaptureEvent(event: CaptureEvent): Buffer {
  return Buffer.from(`${JSON.stringify(event)}\n`)
}

/**
 * The events of a capture in order, without snapshots. If a storage has lost some, the next snapshot resumes the capture.
 * Unreadable lines are left out: a process that was killed leaves half of one.
 */
export async function readCaptureEvents(file: string): Promise<CaptureEvent[]> {
  const events: CaptureEvent[] = []
  let lastMs: number | undefined
  let activeMs: number | undefined
  const handle = await open(file)
  // Streamed, because snapshots make up most of the file and need not be in memory.
  for await (const line of handle.readLines()) {
    const event = parseLine(line)
    if (event === undefined) continue
    if (event.fact !== 'snapshot') events.push(event)
    else if (event.afterMs !== lastMs) events.push(...resumedBy(event))
    if (event.fact === 'snapshot') activeMs ??= event.activeMs
    lastMs = event.atMs
  }
  if (activeMs === undefined || events.some(({ fact }) => fact === 'active')) return events
  return [{ fact: 'active', atMs: activeMs }, ...events]
}

function resumedBy({ atMs, people, tracks }: At & SnapshotEvent): CaptureEvent[] {
  return [
    { fact: 'resumed', atMs },
    ...people.map((person) => ({ fact: 'joined', atMs, ...person }) as const),
    ...tracks.flatMap(({ codec, ...track }): CaptureEvent[] => {
      const published = { fact: 'published', atMs, ...track } as const
      if (codec === undefined) return [published]
      return [published, { fact: 'unrecordable', atMs, track: track.track, codec }]
    }),
  ]
}

/** Parses the events in this text. Unreadable lines are skipped, because a process that was killed leaves half a line. */
export function parseCaptureEvents(lines: string): CaptureEvent[] {
  return lines
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => parseLine(line) ?? [])
}

function parseLine(line: string): CaptureEvent | undefined {
  try {
    return JSON.parse(line) as CaptureEvent
  } catch {
    return undefined
  }
}
