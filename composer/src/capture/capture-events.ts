import { readFile } from 'node:fs/promises'

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
    /** `resumed`: by another process. What is present is listed again. */
    | { fact: 'active' | 'stopped' | 'resumed' }
  )

/** The event without its time. */
export type CaptureEventContent = CaptureEvent extends infer One
  ? One extends CaptureEvent
    ? Omit<One, 'atMs'>
    : never
  : never

export function encodeCaptureEvent(event: CaptureEvent): Buffer {
  return Buffer.from(`${JSON.stringify(event)}\n`)
}

/** The events of a capture in order, as far as they can be read: a process that was killed leaves half a line. */
export async function readCaptureEvents(file: string): Promise<CaptureEvent[]> {
  return parseCaptureEvents(await readFile(file, 'utf8'))
}

/** The same of the contents of the file. */
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
