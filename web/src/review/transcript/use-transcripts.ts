import type { TranscriptionBody } from '@interview-room/contract/recordings.ts'
import { useCallback, useMemo, useState } from 'react'
import { type Loaded, useLoaded } from '../../pages/use-loaded.ts'
import { parseVtt, type TranscriptLine } from '../../player/vtt.ts'
import type { ReviewApi } from '../review-api.ts'

const AGAIN_MS = 5_000
const ENDED: ReadonlySet<TranscriptionBody['status']> = new Set(['done', 'error', 'request_error'])

export interface Transcripts {
  list: Loaded<readonly TranscriptionBody[]>
  /** The transcription on display. Null if none is done. */
  shown: TranscriptionBody | null
  show: (id: string) => void
  lines: Loaded<readonly TranscriptLine[]>
  /** The revision of the lines. Null if they cannot be corrected. */
  revision: number | null
}

/** The language of its lines, by which the browser breaks them: between phrases in Japanese. */
export function languageOf(
  shown: Pick<TranscriptionBody, 'kind' | 'language'> | null,
): string | undefined {
  return shown?.kind === 'translation' ? 'en' : shown?.language
}

/** Asks again while an engine is at work. */
function againMs(list: readonly TranscriptionBody[]): number | null {
  return list.some(({ status }) => !ENDED.has(status)) ? AGAIN_MS : null
}

/** The transcriptions of a recording, and the lines of the chosen one. The newest original is chosen at first. */
export function useTranscripts(
  api: ReviewApi,
  recordingId: string,
  mayCorrect: boolean,
): Transcripts {
  const [chosenId, show] = useState<string | null>(null)
  const list = useLoaded<readonly TranscriptionBody[]>(
    useCallback(() => api.transcriptions(recordingId), [api, recordingId]),
    { againMs },
  )
  const shown = useMemo(() => {
    const done = (list.data ?? []).filter(({ status }) => status === 'done')
    const original = done.findLast(({ kind }) => kind === 'transcription')
    return done.find(({ id }) => id === chosenId) ?? original ?? done.at(-1) ?? null
  }, [list.data, chosenId])
  const shownId = shown?.id
  const readLines = useMemo(
    () => (shownId === undefined ? null : () => read(api, shownId, mayCorrect)),
    [api, shownId, mayCorrect],
  )
  const { data, ...loading } = useLoaded(readLines)
  const lines = { ...loading, data: data?.lines }
  return { list, shown, show, lines, revision: data?.revision ?? null }
}

/** Transcripts from before version 0.6 have no revisions, and can only be read. */
async function read(api: ReviewApi, id: string, mayCorrect: boolean) {
  const found = mayCorrect ? await api.revisions(id).catch(() => null) : null
  return found ?? { revision: null, lines: parseVtt(await api.transcript(id)) }
}
