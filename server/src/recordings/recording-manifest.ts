import type { PartCodecs } from './part-codecs.ts'
import type { Recording } from './recording.ts'
import type { Segment } from './segment.ts'

/** `manifest.json` of an individual recording: who is in which file, and when. */
interface RecordingManifest {
  recording_id: string
  room_id: string
  files: {
    name: string
    participant_id: string | null
    role: string | null
    display_name: string | null
    /** From the beginning of the first file, pauses included. */
    offset_sec: number
    duration_sec: number
    codecs: PartCodecs
  }[]
}

interface DescribedPart {
  part: Segment
  codecs: PartCodecs
}

interface Described {
  manifest: RecordingManifest
  /** Of the files, in the order of the parts. */
  names: string[]
  /** From the beginning of the first file to the end of the last. */
  durationSec: number
}

/** Describes the files of an individual recording. */
export function manifestOf(
  { id, roomId }: Pick<Recording, 'id' | 'roomId'>,
  parts: readonly DescribedPart[],
): Described {
  const beganAt = Math.min(...parts.map(({ part }) => startOf(part).getTime()))
  const files = parts.map(({ part, codecs }, index) => ({
    name: `${String(index + 1).padStart(3, '0')}-${part.person?.role ?? 'participant'}.mp4`,
    participant_id: part.person?.participantId ?? null,
    role: part.person?.role ?? null,
    display_name: part.person?.displayName ?? null,
    offset_sec: (startOf(part).getTime() - beganAt) / 1000,
    duration_sec: part.durationSec ?? 0,
    codecs,
  }))
  return {
    manifest: { recording_id: id, room_id: roomId, files },
    names: files.map(({ name }) => name),
    durationSec: Math.max(...files.map((file) => file.offset_sec + file.duration_sec)),
  }
}

/** When media of it begins. */
export function startOf({ startedAt, createdAt }: Segment): Date {
  return startedAt ?? createdAt
}
