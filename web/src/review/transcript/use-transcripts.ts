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
  /** Null if there are none: no transcription is done, and there was no live text. */
  lines: Loaded<readonly TranscriptLine[] | null>
  /** The revision of the lines. Null if they cannot be corrected. */
  revision: number | null
  /** True for lines that live text wrote. */
  isLive: boolean
  /** The language of the lines, by which the browser breaks them. */
  language: string | undefined
}

/** The language of a transcription's lines, by which the browser breaks them: between phrases in Japanese. */
export function languageOf(
  shown: Pick<TranscriptionBody, 'kind' | 'language'> | null,
): string | undefined {
  return shown?.kind === 'translation' ? 'en' : shown?.language
}

/** Asks again while an engine is at work. */
function againMs(list: readonly TranscriptionBody[]): number | null {
  return list.some(({ status }) => !ENDED.has(status)) ? AGAIN_MS : null
}

/**
 * The transcriptions of a recording, and the lines of the chosen one. The newest original is chosen at first. Until one is done,
 * the lines are those of live text.
 */
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
  const isListed = list.data !== undefined
  const readLines = useMemo(() => {
    if (shownId !== undefined) return () => read(api, shownId, mayCorrect)
    return isListed ? () => readLive(api, recordingId) : null
  }, [api, recordingId, shownId, isListed, mayCorrect])
  const { data, ...loading } = useLoaded<Read | null>(readLines)
  return {
    list,
    shown,
    show,
    lines: { ...loading, data: data && data.lines },
    revision: data?.revision ?? null,
    isLive: data?.live !== undefined,
    language: data?.live === undefined ? languageOf(shown) : data.live.language,
  }
}

interface Read extends Pick<Transcripts, 'revision'> {
  lines: readonly TranscriptLine[]
  /** Undefined for the lines of a transcription. */
  live?: Pick<Transcripts, 'language'>
}

/** Transcripts from before version 0.6 have no revisions, and can only be read. */
async function read(api: ReviewApi, id: string, mayCorrect: boolean): Promise<Read> {
  const found = mayCorrect ? await api.revisions(id).catch(() => null) : null
  return found ?? { revision: null, lines: parseVtt(await api.transcript(id)) }
}

/** Null for a recording without live text. */
async function readLive(api: ReviewApi, recordingId: string): Promise<Read | null> {
  const { language, lines } = await api.liveTranscript(recordingId)
  if (lines.length === 0) return null
  return { revision: null, lines, live: { language: language ?? undefined } }
}
