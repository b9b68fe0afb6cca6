import type { BoardRoom } from '@interview-room/contract/board.ts'
import type { Locale } from '@interview-room/contract/vocabulary.ts'
import type { BoardDictionary } from '../i18n/board-ja.ts'
import { durationText, momentText } from '../i18n/times.ts'

interface RecordingFacts {
  recording: BoardRoom['recording']
  /** The language of the time when the video is likely to be ready. Null says it in the fewest words. */
  locale: Locale | null
}

export function recordingWords(
  text: BoardDictionary,
  { recording, locale }: RecordingFacts,
): string {
  const { archive_mode, status, composed_percent, missing_sec } = recording
  const at = recording.estimated_available_at ?? null
  const ready = at === null || locale === null ? '' : text.recording.ready(momentText(at, locale))
  if (typeof composed_percent === 'number') {
    return text.recording.composed(composed_percent) + ready
  }
  if (status !== null && typeof missing_sec === 'number') {
    return text.recording.incomplete(durationText(Math.ceil(missing_sec)))
  }
  if (status !== null) return text.recording[status] + ready
  if (locale === null) return text.recording.notStarted
  return archive_mode === 'always' ? text.recording.notYet : text.recording.byHand
}
