import type {
  RecordingLiveTranscript,
  TranscriptLine,
} from '@interview-room/contract/transcripts.ts'
import { inTransaction } from '../../../platform/db/db.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { Accessor } from '../recordings/access-log-store.ts'
import { logDownloads } from '../recordings/issue-download-url.ts'
import { readRecording } from '../recordings/read-recordings.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import { readReport, rounded } from '../recordings/report-completeness.ts'
import { type PlacedSpan, placesOf } from '../recordings/timeline.ts'
import { listLinesBetween, type SaidLine } from './live-text-store.ts'

/**
 * Reads what live text wrote while a recording was made, at its place in the file, and notes it in the access log. There is nothing
 * once the recording has expired. Throws 404 NOT_FOUND.
 */
export async function readLiveLines(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  key: RecordingKey,
  accessor: Accessor,
): Promise<RecordingLiveTranscript> {
  const recording = await readRecording(db, key)
  const { id, roomId, outputMode } = recording
  const { segments } = await readReport(db, recording, clock())
  const places = recording.status === 'expired' ? [] : placesOf(outputMode, segments)
  const [from, to] = [places[0]?.fromMs ?? 0, places.at(-1)?.toMs ?? 0]
  const said = await listLinesBetween(db, { roomId, from: new Date(from), to: new Date(to) })
  const lines = said.flatMap((line) => lineIn(places, line) ?? [])
  if (lines.length > 0) {
    const issuedAt = clock()
    const access = { ...key, accessor, purpose: 'live_transcript', issuedAt } as const
    await inTransaction(db, (tx) => logDownloads(tx, [{ ...access, expiresAt: issuedAt }]))
  }
  return {
    recording_id: id,
    revision: 'live',
    language: lines.length === 0 ? null : (said[0]?.language ?? null),
    lines,
  }
}

/**
 * A text at its place in the file. Returns undefined unless all of it was recorded without a break: the rest of a sentence that
 * goes on in a pause was not said for the recording.
 */
function lineIn(places: readonly PlacedSpan[], said: SaidLine): TranscriptLine | undefined {
  const [startMs, endMs] = [said.startedAt.getTime(), said.endedAt.getTime()]
  const place = places.find(({ fromMs, toMs }) => startMs >= fromMs && endMs <= toMs)
  if (place === undefined) return undefined
  const secOf = (ms: number) => rounded(place.offsetSec + (ms - place.fromMs) / 1000)
  return {
    start_sec: secOf(startMs),
    end_sec: secOf(endMs),
    text: said.text,
    participant_id: said.participantId,
    speaker: said.displayName,
    role: said.role,
  }
}
