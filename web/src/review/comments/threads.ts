import type { CommentBody } from '@interview-room/contract/reviews.ts'

export interface Thread {
  comment: CommentBody
  /** Oldest first. */
  answers: readonly CommentBody[]
}

export type Shown = 'open' | 'resolved' | 'all'

/** Comments with their answers, by their place in the recording. Those about all of it come first. */
export function threadsOf(comments: readonly CommentBody[], shown: Shown): Thread[] {
  return comments
    .filter(({ reply_to: replyTo, is_resolved: isResolved }) => {
      const isShown = shown === 'all' || isResolved === (shown === 'resolved')
      return replyTo === null && isShown
    })
    .toSorted((one, other) => (one.offset_sec ?? -1) - (other.offset_sec ?? -1))
    .map((comment) => ({
      comment,
      answers: comments.filter(({ reply_to: replyTo }) => replyTo === comment.id),
    }))
}
