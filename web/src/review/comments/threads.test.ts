import type { CommentBody } from '@interview-room/contract/reviews.ts'
import { expect, test } from 'vitest'
import { threadsOf } from './threads.ts'

const comment = (id: string, given: Partial<CommentBody> = {}): CommentBody => ({
  id,
  recording_id: 'r',
  viewer: { reference: 's', name: 'Sato' },
  offset_sec: null,
  end_sec: null,
  reply_to: null,
  text: 'words',
  is_resolved: false,
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: null,
  ...given,
})
const COMMENTS = [
  comment('late', { offset_sec: 90 }),
  comment('done', { offset_sec: 5, is_resolved: true }),
  comment('answer', { reply_to: 'late' }),
  comment('whole'),
  comment('start', { offset_sec: 0 }),
  comment('second answer', { reply_to: 'late' }),
]

test('threads are in the order of the recording, with their answers', () => {
  expect(
    threadsOf(COMMENTS, 'open').map(({ comment, answers }) => [
      comment.id,
      ...answers.map(({ id }) => id),
    ]),
  ).toEqual([['whole'], ['start'], ['late', 'answer', 'second answer']])
})

test.each([
  ['resolved', ['done']],
  ['all', ['whole', 'start', 'done', 'late']],
] as const)('threads can be filtered: %s', (shown, ids) => {
  expect(threadsOf(COMMENTS, shown).map(({ comment }) => comment.id)).toEqual(ids)
})
