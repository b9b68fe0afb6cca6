import type { TranscriptionBody } from '@interview-room/contract/recordings.ts'
import type { TranscriptHitBody } from '@interview-room/contract/transcripts.ts'
import type { TranscriptHit } from './search-store.ts'
import { attemptsOf, type Transcription } from './transcription.ts'

export function presentTranscription(
  transcription: Transcription,
  /** Undefined unless the transcription is done. */
  resultUrl: string | undefined,
): TranscriptionBody {
  const { sentSec } = transcription
  return {
    id: transcription.id,
    recording_id: transcription.recordingId,
    room_id: transcription.roomId,
    provider: transcription.provider,
    provider_transcription_id: transcription.providerTranscriptionId,
    status: transcription.status,
    language: transcription.language,
    kind: transcription.kind,
    attempts: attemptsOf(transcription),
    result_url: resultUrl ?? null,
    sent_sec: sentSec === null ? null : Math.round(sentSec * 1000) / 1000,
    created_at: transcription.createdAt.toISOString(),
    updated_at: transcription.updatedAt.toISOString(),
  }
}

export function presentHit(hit: TranscriptHit): TranscriptHitBody {
  return {
    recording_id: hit.recordingId,
    room_id: hit.roomId,
    transcription_id: hit.transcriptionId,
    language: hit.language,
    kind: hit.kind,
    line: {
      start_sec: hit.start_sec,
      end_sec: hit.end_sec,
      text: hit.text,
      participant_id: hit.participant_id,
      speaker: hit.speaker,
      role: hit.role,
    },
  }
}
