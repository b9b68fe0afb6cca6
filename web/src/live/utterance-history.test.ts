import type { LiveTextBody } from '@interview-room/contract/live-text.ts'
import { expect, test, vi } from 'vitest'
import type { LiveRequest } from './live-request.ts'
import { LiveStore } from './store.ts'
import { UtteranceHistory } from './utterance-history.ts'

const text = (segment: string): LiveTextBody => ({
  participant_id: null,
  identity: 'p-1',
  display_name: 'Sato',
  segment,
  text: segment,
  language: 'ja-JP',
  is_translation: false,
  started_at: `2030-01-01T10:00:0${segment}.000Z`,
  ended_at: `2030-01-01T10:00:0${segment}.500Z`,
})

const page = (segment: string, cursor: string, hasMore: boolean) => ({
  ok: true,
  data: { items: [text(segment)], cursor, has_more: hasMore },
})

/** A history whose service gives these answers, one after the other. */
function historyOf(answers: unknown[]) {
  const store = new LiveStore({ participantId: null })
  const request = vi.fn(async () => answers.shift())
  const pause = vi.fn(async () => {})
  const history = new UtteranceHistory({ store, request: request as unknown as LiveRequest, pause })
  return { store, request, pause, history }
}

const segmentsOf = (store: LiveStore) => store.getState().utterances.map(({ segment }) => segment)

test('is loaded page by page, and the next time from where it ended', async () => {
  const { store, request, history } = historyOf([
    page('1', 'a', true),
    page('2', 'b+', false),
    page('3', 'c', false),
  ])
  await history.load()
  expect(segmentsOf(store)).toEqual(['1', '2'])
  await history.load()
  expect(segmentsOf(store)).toEqual(['1', '2', '3'])
  expect(request.mock.calls).toEqual([
    ['GET', '/transcript'],
    ['GET', '/transcript?after=a'],
    ['GET', '/transcript?after=b%2B'],
  ])
})

test('is loaded after failures, until the visit is over', async () => {
  const offline = { ok: false, code: 'OFFLINE', details: [] }
  const { store, pause, history } = historyOf([offline, offline, page('1', 'a', false)])
  await history.load()
  expect(segmentsOf(store)).toEqual(['1'])
  expect(pause.mock.calls).toEqual([[0], [1]])

  const ended = historyOf([offline])
  ended.pause.mockImplementation(async () => ended.history.close())
  await ended.history.load()
  expect(ended.request).toHaveBeenCalledTimes(1)
})
