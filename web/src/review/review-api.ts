import type { ClipBody, ClipRequest } from '@interview-room/contract/clips.ts'
import type { API } from '@interview-room/contract/operations.ts'
import type { BodyOf, DataOf, StatusOf } from '@interview-room/contract/operations/operation.ts'
import type { TimelineItem } from '@interview-room/contract/recording-reports.ts'
import type { ReelBody, ReelRequest } from '@interview-room/contract/reels.ts'
import type { ExportContent } from '@interview-room/contract/review.ts'
import type { CommentBody, CommentPatch, CommentRequest } from '@interview-room/contract/reviews.ts'
import type { ShareBody, ShareRequest } from '@interview-room/contract/shares.ts'
import type { OperationId, Written } from '../live/live-request.ts'
import { callService, type ProblemCode, sendRequest } from '../live/send-request.ts'
import type { Version } from '../player/player.ts'
import type { TranscriptLine } from '../player/vtt.ts'

type Data<Id extends OperationId> = DataOf<(typeof API)[Id]['answers'][StatusOf<(typeof API)[Id]>]>
type Path<Id extends OperationId> = Written<(typeof API)[Id]['path']>
type TranscriptionOrder = NonNullable<BodyOf<(typeof API)['startTranscription']>>

/** Why the service refused a request. */
export class ReviewError extends Error {
  readonly code: ProblemCode

  constructor(code: ProblemCode) {
    super(code)
    this.code = code
  }
}

/** Most items that one page of a list has. */
const PAGE = 100

interface Page<Item> {
  items: readonly Item[]
  next_cursor: string | null
}

/** The type argument is the operation. Its path and its answer are the ones that the contract declares. */
type Ask = <Id extends OperationId>(
  method: (typeof API)[Id]['method'],
  path: Path<Id> | `${Path<Id>}?${string}`,
  body?: unknown,
  ifMatch?: string,
) => Promise<Data<Id>>

/** The operations that a viewer token opens. They throw a `ReviewError`. */
export type ReviewApi = ReturnType<typeof createReviewApi>

/** `onEnded` is called when the token is refused. */
export function createReviewApi(token: string, onEnded: () => void) {
  const ask: Ask = async <Id extends OperationId>(
    method: string,
    path: string,
    ...[body, ifMatch]: [body?: unknown, ifMatch?: string]
  ) => {
    const answer = await callService<Data<Id>>(`/api/v1${path}`, {
      method,
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { body }),
      ...(ifMatch !== undefined && { ifMatch }),
    })
    if (answer.ok) return answer.data
    if (answer.code === 'UNAUTHORIZED') onEnded()
    throw new ReviewError(answer.code)
  }
  return { ...recordingApi(ask), ...workApi(ask), ...shareApi(ask) }
}

function recordingApi(ask: Ask) {
  return {
    review: () => ask<'getReview'>('GET', '/review'),
    playback: (id: string, version: Version) =>
      ask<'getRecordingPlayback'>('GET', `/recordings/${id}/playback?version=${version}`),
    downloadUrl: (id: string) =>
      ask<'getRecordingDownloadUrl'>('GET', `/recordings/${id}/download-url`),
    exportUrl: (id: string, content: ExportContent) =>
      ask<'getRecordingExportUrl'>('GET', `/recordings/${id}/export-url?content=${content}`),
    activity: (id: string) => ask<'getRecordingActivity'>('GET', `/recordings/${id}/activity`),
    completeness: (id: string) =>
      ask<'getRecordingCompleteness'>('GET', `/recordings/${id}/completeness`),
    timeline: (id: string) => readTimeline(ask, id),
    transcriptions: (id: string) =>
      all((query) => ask<'listTranscriptions'>('GET', `/recordings/${id}/transcriptions?${query}`)),
    transcribe: (id: string, order: TranscriptionOrder) =>
      ask<'startTranscription'>('POST', `/recordings/${id}/transcriptions`, order),
    liveTranscript: (id: string) => readLiveTranscript(ask, id),
    revisions: (transcriptionId: string) => readRevisions(ask, transcriptionId),
    correct: (transcriptionId: string, revision: number, lines: readonly TranscriptLine[]) => {
      const path = `/transcriptions/${transcriptionId}/revisions` as const
      return ask<'correctTranscript'>(
        'PUT',
        path,
        { lines: lines.map(lineRequest) },
        `"${revision}"`,
      )
    },
    transcript: (transcriptionId: string) => readTranscript(ask, transcriptionId),
    transcriptUrl: (id: string, query: string) =>
      ask<'getTranscriptionExportUrl'>('GET', `/transcriptions/${id}/export-url?${query}`),
    /** The first lines of a recording that contain these words. */
    search: async (id: string, words: string) => {
      const query = new URLSearchParams({ q: words, recording_id: id, limit: String(PAGE) })
      return (await ask<'searchTranscripts'>('GET', `/transcript-search?${query}`)).items
    },
  }
}

/** The comments and clips of a recording, and the reels of its room. */
function workApi(ask: Ask) {
  return {
    comments: (id: string): Promise<CommentBody[]> =>
      all((query) => ask<'listComments'>('GET', `/recordings/${id}/comments?${query}`)),
    comment: (id: string, comment: CommentRequest) =>
      ask<'createComment'>('POST', `/recordings/${id}/comments`, comment),
    changeComment: ({ recording_id: id, id: commentId }: CommentBody, change: CommentPatch) =>
      ask<'updateComment'>('PATCH', `/recordings/${id}/comments/${commentId}`, change),
    deleteComment: ({ recording_id: id, id: commentId }: CommentBody) =>
      ask<'deleteComment'>('DELETE', `/recordings/${id}/comments/${commentId}`),
    clips: (id: string): Promise<ClipBody[]> =>
      all((query) => ask<'listClips'>('GET', `/recordings/${id}/clips?${query}`)),
    clip: (id: string, clip: ClipRequest) =>
      ask<'createClip'>('POST', `/recordings/${id}/clips`, clip),
    clipUrl: (clipId: string) => ask<'getClipDownloadUrl'>('GET', `/clips/${clipId}/download-url`),
    clipPlayback: (clipId: string) => ask<'getClipPlayback'>('GET', `/clips/${clipId}/playback`),
    deleteClip: (clipId: string) => ask<'deleteClip'>('DELETE', `/clips/${clipId}`),
    reels: (roomId: string): Promise<ReelBody[]> =>
      all((query) => ask<'listReels'>('GET', `/rooms/${roomId}/reels?${query}`)),
    reel: (roomId: string, reel: ReelRequest) =>
      ask<'createReel'>('POST', `/rooms/${roomId}/reels`, reel),
    reelUrl: (reelId: string) => ask<'getReelDownloadUrl'>('GET', `/reels/${reelId}/download-url`),
    reelPlayback: (reelId: string) => ask<'getReelPlayback'>('GET', `/reels/${reelId}/playback`),
    deleteReel: (reelId: string) => ask<'deleteReel'>('DELETE', `/reels/${reelId}`),
  }
}

/** Links that a viewer gives away. */
function shareApi(ask: Ask) {
  return {
    shares: (id: string): Promise<ShareBody[]> =>
      all((query) => ask<'listShares'>('GET', `/recordings/${id}/shares?${query}`)),
    share: (id: string, share: ShareRequest) =>
      ask<'createShare'>('POST', `/recordings/${id}/shares`, share),
    revokeShare: (shareId: string) => ask<'revokeShare'>('DELETE', `/shares/${shareId}`),
  }
}

/** Reads every page of a list. */
async function all<Item>(read: (query: string) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = []
  let query = `limit=${PAGE}`
  for (;;) {
    const { items: more, next_cursor: next } = await read(query)
    items.push(...more)
    if (next === null) return items
    query = `limit=${PAGE}&cursor=${next}`
  }
}

async function readTimeline(ask: Ask, id: string) {
  let segments: Data<'getRecordingTimeline'>['segments'] = []
  const items = await all<TimelineItem>(async (query) => {
    const page = await ask<'getRecordingTimeline'>('GET', `/recordings/${id}/timeline?${query}`)
    ;({ segments } = page)
    return page
  })
  return { segments, items }
}

/** The WebVTT file of a transcription. Each reading takes a new address, because one lives for minutes. */
async function readTranscript(ask: Ask, transcriptionId: string): Promise<string> {
  const { result_url: url } = await ask<'getTranscription'>(
    'GET',
    `/transcriptions/${transcriptionId}`,
  )
  if (url === null) throw new ReviewError('NOT_FOUND')
  const response = await sendRequest(url).catch(() => undefined)
  if (response?.ok !== true) throw new ReviewError('OFFLINE')
  return response.text()
}

/** The lines that live text wrote while a recording was made. */
async function readLiveTranscript(ask: Ask, id: string) {
  const path = `/recordings/${id}/live-transcript` as const
  const { language, lines } = await ask<'getRecordingLiveTranscript'>('GET', path)
  return { language, lines: lines.map(lineOf) }
}

/** The newest lines of a transcript, by the number of their revision. */
async function readRevisions(ask: Ask, transcriptionId: string) {
  const path = `/transcriptions/${transcriptionId}/revisions` as const
  const { revisions, lines } = await ask<'getTranscriptRevisions'>('GET', path)
  return { revision: revisions[0]?.revision ?? 0, lines: lines.map(lineOf) }
}

function lineOf(line: Data<'getTranscriptRevisions'>['lines'][number]): TranscriptLine {
  const { start_sec: startSec, end_sec: endSec, participant_id: personId, speaker, text } = line
  return { startSec, endSec, personId, speaker, text }
}

function lineRequest({ startSec, endSec, personId = null, speaker, text }: TranscriptLine) {
  return { start_sec: startSec, end_sec: endSec, participant_id: personId, speaker, text }
}
