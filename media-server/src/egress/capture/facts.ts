import { readFile } from 'node:fs/promises'

export type TrackRole = 'camera' | 'microphone' | 'screen' | 'screen-sound'

interface At {
  atMs: number
}

/** What happened while a room was captured, apart from its media. */
export type Fact = At &
  (
    | { fact: 'joined'; participant: string; name: string }
    | { fact: 'renamed'; participant: string; name: string }
    | { fact: 'left'; participant: string }
    | { fact: 'published'; participant: string; track: string; role: TrackRole; isMuted: boolean }
    | { fact: 'muted' | 'unmuted' | 'unpublished'; track: string }
    | { fact: 'layout'; layout: string }
    | { fact: 'active' | 'stopped' }
  )

/** The fact without its time. */
export type FactContent = Fact extends infer One
  ? One extends Fact
    ? Omit<One, 'atMs'>
    : never
  : never

export function encodeFact(fact: Fact): Buffer {
  return Buffer.from(`${JSON.stringify(fact)}\n`)
}

/** The facts of a capture in order; a last line that was cut off is left out. */
export async function readFacts(file: string): Promise<Fact[]> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Fact)
}
