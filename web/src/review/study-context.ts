import type { ClipBody } from '@interview-room/contract/clips.ts'
import type { RecordingTimelineBody } from '@interview-room/contract/recording-reports.ts'
import type { RecordingCompletenessBody } from '@interview-room/contract/recording-reports.ts'
import type { ReelBody } from '@interview-room/contract/reels.ts'
import type { RecordingActivityBody, ReviewBody } from '@interview-room/contract/review.ts'
import type { CommentBody, ViewerAbility } from '@interview-room/contract/reviews.ts'
import { createContext, use } from 'react'
import { Store } from '../pages/store.ts'
import type { Loaded } from '../pages/use-loaded.ts'
import type { Player } from '../player/player.ts'
import type { Span } from '../player/silences.ts'
import type { ReviewApi } from './review-api.ts'
import type { ReviewedRecording } from './review-visit.ts'
import type { Transcripts } from './transcript/use-transcripts.ts'

export const TABS = ['transcript', 'comments', 'clips', 'axis'] as const
export type TabId = (typeof TABS)[number]

/** The reader's choices on the page. */
export interface DeskState {
  tab: TabId
  /** Only the lines of these people are shown. Null for everybody's. */
  voices: { id: string; names: readonly string[] } | null
  /** The range that a clip or a comment is made of. */
  range: Span | null
  hasCaptions: boolean
  /** Times of the lines that the search has found. */
  hits: readonly number[]
  /** Grows whenever somebody asks for this field by a key. */
  asked: { comment: number; search: number }
  isHelpOpen: boolean
}

export function createDesk(): Store<DeskState> {
  return new Store<DeskState>({
    tab: 'transcript',
    voices: null,
    range: null,
    hasCaptions: false,
    hits: [],
    asked: { comment: 0, search: 0 },
    isHelpOpen: false,
  })
}

/** Everything that the parts of the page share about one recording. */
export interface StudyContextValue {
  api: ReviewApi
  review: ReviewBody
  recording: ReviewedRecording
  player: Player
  desk: Store<DeskState>
  may: (ability: ViewerAbility) => boolean
  activity: Loaded<RecordingActivityBody>
  timeline: Loaded<Pick<RecordingTimelineBody, 'segments' | 'items'>>
  completeness: Loaded<RecordingCompletenessBody>
  transcripts: Transcripts
  comments: Loaded<readonly CommentBody[]>
  clips: Loaded<readonly ClipBody[]>
  reels: Loaded<readonly ReelBody[]>
  /** Opens a recording of the room, perhaps at a second and with words to search. */
  onPart: (part: number, sec?: number, searched?: string) => void
  /** The words of a search that has led here. */
  searched: string
}

export const StudyContext = createContext<StudyContextValue | null>(null)

export function useStudy(): StudyContextValue {
  const study = use(StudyContext)
  if (study === null) throw new Error('used outside of a recording')
  return study
}
