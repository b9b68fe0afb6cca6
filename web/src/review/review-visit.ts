import type { ReviewBody } from '@interview-room/contract/review.ts'
import { backoffMs } from '../live/backoff.ts'
import { onWake } from '../live/on-wake.ts'
import { createReviewApi, type ReviewApi, ReviewError } from './review-api.ts'

export type ReviewedRecording = ReviewBody['recordings'][number]

export type VisitState =
  | { phase: 'loading'; isOffline: boolean }
  /** The link is not valid, has expired, or was revoked. */
  | { phase: 'ended' }
  | { phase: 'missing' }
  | { phase: 'open'; review: ReviewBody }

/** How often the page asks while a recording is not ready. */
const AGAIN_MS = 5_000

/** Knows the recordings that the link opens. It asks again until every one is as it stays. */
export class ReviewVisit {
  readonly api: ReviewApi
  readonly #pathname: string
  readonly #listeners = new Set<() => void>()
  #state: VisitState = { phase: 'loading', isOffline: false }
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(token: string, pathname: string) {
    this.#pathname = pathname
    this.api = createReviewApi(token, () => this.#set({ phase: 'ended' }))
    onWake(() => {
      if (this.#timer !== undefined) void this.look()
    })
  }

  readonly getState = (): VisitState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async look(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    try {
      const review = await this.api.review()
      this.#failures = 0
      const recordings = review.recordings.filter((each) => isAt(each.id, review, this.#pathname))
      this.#set(
        recordings.length > 0 || (review.clip ?? review.reel) !== null || isRoom(this.#pathname)
          ? { phase: 'open', review: { ...review, recordings } }
          : { phase: 'missing' },
      )
      if (mayChange(review.clip ?? review.reel, recordings)) this.#lookIn(AGAIN_MS)
    } catch (error) {
      if (!(error instanceof ReviewError)) throw error
      if (error.code === 'UNAUTHORIZED') return
      if (error.code === 'NOT_FOUND') return this.#set({ phase: 'missing' })
      if (this.#state.phase === 'loading') this.#set({ phase: 'loading', isOffline: true })
      this.#lookIn(backoffMs(this.#failures++, Math.random()))
    }
  }

  #lookIn(ms: number): void {
    if (this.#state.phase === 'ended' || this.#state.phase === 'missing') return
    this.#timer = setTimeout(() => void this.look(), ms)
  }

  #set(state: VisitState): void {
    if (this.#state.phase === 'ended') return
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

/** True while there may be more to see than now. */
function mayChange(
  file: ReviewBody['clip'] | ReviewBody['reel'],
  recordings: readonly ReviewedRecording[],
): boolean {
  if (file !== null) return file.status === 'pending'
  return recordings.length === 0 || recordings.some(isUnfinished)
}

const isRoom = (pathname: string) => pathname.startsWith('/v/rooms/')

/** A page of a recording shows that one, also where the token opens its whole room. */
function isAt(id: string, { room_id }: ReviewBody, pathname: string): boolean {
  return pathname.includes(isRoom(pathname) ? room_id : id)
}

/** True for a recording that will still change: recorded now, or its file is being made. */
function isUnfinished({ status }: Pick<ReviewedRecording, 'status'>): boolean {
  return status !== 'available' && status !== 'failed' && status !== 'expired'
}

export function isPlayable(recording: ReviewedRecording): boolean {
  return recording.status === 'available' && recording.output_mode === 'composed'
}
