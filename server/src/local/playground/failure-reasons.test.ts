import type { RecordingBody } from '@interview-room/contract/recordings.ts'
import type { Client } from '@interview-room/sdk/client.ts'
import { describe, expect, test } from 'vitest'
import { findFailures, reasonOfTranscription } from './failure-reasons.ts'
import type { LoggedWebhook } from './webhook-log.ts'

const recording = (id: string, status: RecordingBody['status']) => ({ id, status }) as RecordingBody

/** A tenant whose room has this log; returns what was asked for. */
function tenantWith(payloads: (Record<string, unknown> | null)[]) {
  const asked: unknown[] = []
  const listRoomEvents: Client['listRoomEvents'] = async (input) => {
    asked.push(input)
    const of = { room_id: 'room', event_type: 'recording.failed', created_at: '' }
    const items = payloads.map((payload, id) => ({ ...of, id, payload }))
    return { items, next_cursor: null, has_more: false }
  }
  return { asked, api: { listRoomEvents } }
}

describe('why recordings failed', () => {
  test("is read from the room's log", async () => {
    const tenant = tenantWith([{ recording_id: 'one', failure_reason: 'start_timeout' }, null])
    const recordings = [recording('one', 'failed'), recording('two', 'available')]
    const reasons = await findFailures(tenant, 'room', recordings)
    expect(reasons.get('one')).toBe('start_timeout')
    expect(reasons.get('two')).toBeUndefined()
    const query = { event_type: 'recording.failed', limit: 100 }
    expect(tenant.asked).toEqual([{ params: { room_id: 'room' }, query }])
  })

  test('is not asked for where none has failed', async () => {
    const tenant = tenantWith([])
    await findFailures(tenant, 'room', [recording('one', 'available')])
    expect(tenant.asked).toEqual([])
  })
})

const webhook = (data: object, more: Partial<LoggedWebhook> = {}): LoggedWebhook => ({
  received_at: '2026-01-01T00:00:00.000Z',
  verified: true,
  id: 'evt',
  type: 'transcription.completed',
  body: { data },
  ...more,
})

describe('why a transcription failed', () => {
  const published = { transcription_id: 'one', failure_reason: 'quota_exceeded' }

  test.each<[string, LoggedWebhook, string | null]>([
    ['what its webhook said', webhook(published), 'quota_exceeded'],
    ['nothing when it is done', webhook({ ...published, failure_reason: null }), null],
    ['nothing that was not signed', webhook(published, { verified: false }), null],
    ['nothing of another one', webhook({ ...published, transcription_id: 'two' }), null],
    ['nothing of other requests', webhook(published, { body: 'text' }), null],
  ])('is %s', (_what, entry, reason) => {
    expect(reasonOfTranscription({ entries: () => [entry] }, 'one')).toBe(reason)
  })
})
