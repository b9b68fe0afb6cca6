import { open } from 'node:fs/promises'

export type TrackRole = 'camera' | 'microphone' | 'screen' | 'screen-sound'

interface At {
  atMs: number
}

/**
 * An event of a capture, apart from its media. Captures store it as JSON: the keys stay. Of a later release there may be
 * others, which are read over.
 */
export type CaptureEvent = At &
  /** `identity`: stays when the person connects again; missing in captures from before it was kept. */
  (
    | { fact: 'joined'; participant: string; identity?: string; name: string }
    | { fact: 'renamed'; participant: string; name: string }
    | { fact: 'left'; participant: string }
    | { fact: 'published'; participant: string; track: string; role: TrackRole; isMuted: boolean }
    | { fact: 'muted' | 'unmuted' | 'unpublished'; track: string }
    /** It does not come: its codec, such as `video/VP9`, is not captured. */
    | { fact: 'unrecordable'; track: string; codec: string }
    /** It comes after all, such as in another codec. */
    | { fact: 'recordable'; track: string }
    | { fact: 'layout'; layout: string }
    /** The connection to the room is there again, and nothing has come over it since then. */
    | { fact: 'missed'; sinceMs: number }
    /** The process that captures did not run. Of what came meanwhile, the machine has kept the first seconds for it. */
    | { fact: 'stood_still'; sinceMs: number }
    /** `resumed`: by another process, or behind events that are lost. What is present is listed again. */
    | { fact: 'active' | 'stopped' | 'resumed' }
    | SnapshotEvent
  )

/**
 * What each later chunk of a capture begins with, so that it can be read without those before it. `afterMs`: when the
 * event before it was.
 */
interface SnapshotEvent {
  fact: 'snapshot'
  afterMs: number
  /** Since when the capture is active. */
  activeMs: number
  people: readonly { participant: string; identity: string; name: string }[]
  tracks: readonly PresentTrack[]
}

/** `codec`: it does not come, because this one is not captured. */
interface PresentTrack {
  participant: string
  track: string
  role: TrackRole
  isMuted: boolean
  codec?: string | undefined
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
 * The events of a capture in order, without snapshots. Where a storage has lost some, the capture is resumed by the next
 * snapshot. Lines that cannot be read are left out: a process that was killed leaves half of one.
 */
export async function readCaptureEvents(file: string): Promise<CaptureEvent[]> {
  const events: CaptureEvent[] = []
  let lastMs: number | undefined
  let activeMs: number | undefined
  const handle = await open(file)
  // Snapshots are most of it, so that not all of it is in memory.
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

/** As they are written in this text, as far as it can be read: a process that was killed leaves half a line. */
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
