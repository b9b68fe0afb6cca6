import { describe, expect, test } from 'vitest'
import type { DeliveredWebhook } from '../local-api.ts'
import { failuresOf, reasonOfTranscription } from './failure-reasons.ts'

test('the reason of a failed recording is read from the log of the room', () => {
  const reasons = failuresOf([
    { payload: { recording_id: 'one', failure_reason: 'start_timeout' } },
    { payload: null },
  ])
  expect(reasons.get('one')).toBe('start_timeout')
  expect(reasons.get('two')).toBeUndefined()
})

const webhook = (data: object, more: Partial<DeliveredWebhook> = {}): DeliveredWebhook => ({
  received_at: '2026-01-01T00:00:00.000Z',
  verified: true,
  id: 'evt',
  type: 'transcription.completed',
  body: { data },
  ...more,
})

describe('the reason of a failed transcription', () => {
  const published = { transcription_id: 'one', failure_reason: 'quota_exceeded' }

  test.each<[string, DeliveredWebhook, string | null]>([
    ['what its webhook said', webhook(published), 'quota_exceeded'],
    ['nothing when it is done', webhook({ ...published, failure_reason: null }), null],
    ['nothing that was not signed', webhook(published, { verified: false }), null],
    ['nothing of another one', webhook({ ...published, transcription_id: 'two' }), null],
    ['nothing of other requests', webhook(published, { body: 'text' }), null],
  ])('is %s', (_what, entry, reason) => {
    expect(reasonOfTranscription([entry], 'one')).toBe(reason)
  })
})
