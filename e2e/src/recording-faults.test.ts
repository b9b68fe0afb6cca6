import { afterEach, describe, expect, test } from 'vitest'
import { injectFaults } from './harness/faults.ts'
import {
  openRecordedRoom,
  type RecordedRoom,
  recordingsOf,
  untilEnded,
  untilRecorded,
} from './harness/recorded.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { waitFor } from './harness/wait.ts'

const env = useTestEnvironment({ hasBrowser: false })

const inject = (faults: object) => injectFaults(env.service, faults)

// A recording that continues in another room would take the fault of the next test.
afterEach(async () => {
  await inject({})
  await env.tenant.closeAll()
})

/** Records for a short time, stops, and returns the result. */
async function recordAndStop({ roomId, moderator, panelist }: RecordedRoom, { sec = 1 } = {}) {
  await moderator.post('/recording/start')
  await untilRecorded(moderator, sec)
  await moderator.post('/recording/stop')
  const recording = await untilEnded(env.tenant, roomId)
  await panelist.leave()
  return recording
}

async function roomEventsOf(roomId: string): Promise<string[]> {
  const answer = await env.tenant.call('GET', `/rooms/${roomId}/room-events?limit=100`)
  const { data } = (await answer.json()) as { data: { items: { event_type: string }[] } }
  return (
    data.items
      .map(({ event_type }) => event_type)
      .filter((type) => type.startsWith('recording.'))
      // Depends on how soon the recorder began.
      .filter((type) => type !== 'recording.incomplete')
  )
}

describe('notifications of the media server', () => {
  test.each([
    ['all lost', { event: '*', action: 'drop', count: 1000 }],
    ['all doubled', { event: '*', action: 'double', count: 1000 }],
    [
      'the beginning reported after the end',
      { event: 'egress_started', action: 'delay', delayMs: 8000 },
    ],
  ])('%s: the recording becomes available', async (_what, webhooks) => {
    const room = await openRecordedRoom(env)
    await inject({ webhooks })
    expect(await recordAndStop(room)).toMatchObject({ status: 'available' })
    expect(await roomEventsOf(room.roomId)).toEqual(['recording.started', 'recording.stopped'])
  })
})

describe('an egress that goes wrong', () => {
  test('at its stop: everything delivered until then is kept', async () => {
    const room = await openRecordedRoom(env)
    await inject({ egress: { next: 'fail_at_stop' } })
    // A chunk is delivered every two seconds.
    expect(await recordAndStop(room, { sec: 6 })).toMatchObject({ status: 'available' })
    expect(await roomEventsOf(room.roomId)).not.toContain('recording.failed')
  })

  test('and delivered nothing: the recording fails, and the room log records it', async () => {
    const room = await openRecordedRoom(env)
    await inject({ egress: { next: 'refuse_upload' } })
    expect(await recordAndStop(room)).toMatchObject({ status: 'failed' })
    expect(await roomEventsOf(room.roomId)).toContain('recording.failed')
  })

  test('before it begins: the second start makes the recording', async () => {
    const room = await openRecordedRoom(env)
    await inject({ egress: { next: 'abort' } })
    expect(await recordAndStop(room)).toMatchObject({ status: 'available' })
  })

  test('at a limit: the written part is kept', async () => {
    const room = await openRecordedRoom(env)
    await inject({ egress: { next: 'limit_reached' } })
    await room.moderator.post('/recording/start')
    // It is listed once the provider has answered, which may be later than the answer to the moderator.
    await waitFor(async () => (await recordingsOf(env.tenant, room.roomId)).length === 1, {
      what: 'the recording is listed',
    })
    const recording = await untilEnded(env.tenant, room.roomId, { isFollowed: true })
    expect(recording).toMatchObject({ status: 'available' })
    expect(await roomEventsOf(room.roomId)).toContain('recording.limit_reached')
  })

  test('in its second segment: the first one is kept', async () => {
    const { roomId, moderator } = await openRecordedRoom(env)
    await moderator.post('/recording/start')
    await untilRecorded(moderator, 2)
    await moderator.post('/recording/pause')
    await inject({ egress: { next: 'fail_start' } })
    await moderator.post('/recording/resume')
    const recording = await untilEnded(env.tenant, roomId, { isFollowed: true })
    expect(recording?.status).toBe('available')
    expect(recording?.duration_sec).toBeGreaterThan(1.5)
    expect(await roomEventsOf(roomId)).toContain('recording.failed')
  })
})
