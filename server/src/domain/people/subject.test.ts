import { describe, expect, test } from 'vitest'
import { COMPLETED, FAILED, useConnectionTests } from '../../testing/connection-tests.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { reconcilePass } from '../../testing/reconcile-pass.ts'
import { FILE, useRecordedRooms } from '../../testing/recorded-rooms.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const { start, report, running, read, readAsSubject } = useConnectionTests(plane)

const entriesOf = (roomId: string) => plane.database.db`
  select 1 from entry_histories where room_id = ${roomId}
`
const identitiesIn = (roomId: string) =>
  (plane.media.connections.get(roomId) ?? []).map(({ identity }) => identity)

function connectBoth(roomId: string): void {
  plane.media.connect(roomId, 'subject', plane.now)
  plane.media.connect(roomId, 'subject-receiver', plane.now)
}

describe('the room of a connection test', () => {
  test('admits nobody by a participant token: 404 NOT_FOUND', async () => {
    const { room_id: roomId } = await start()
    await expect(live.enter(roomId, 'moderator')).rejects.toThrow('NOT_FOUND')
    expect(await plane.database.db`select 1 from participants where room_id = ${roomId}`).toEqual(
      [],
    )
  })
})

describe('GET /connection-tests/{connection_test_id}/live', () => {
  // contract: getConnectionTestForSubject › 200: `id`, `status`, `name`, `locale`,
  //   `stream_resolution`, `stream_frame_rate`, `record`, `expires_at`, `measure_for_sec`,
  //   `measured_sec`, `devices`, `summary`, `failure_reason`, `can_repeat`
  test('answers what the page of the test shows', async () => {
    const started = await start({
      name: 'P-07',
      locale: 'ja',
      stream_resolution: '640x480',
      stream_frame_rate: 30,
      record: true,
      external_type: 'User',
      external_id: '1',
    })
    const { status, data } = await readAsSubject(started)
    expect([status, data]).toEqual([
      200,
      {
        id: started.id,
        status: 'pending',
        name: 'P-07',
        locale: 'ja',
        stream_resolution: '640x480',
        stream_frame_rate: 30,
        record: true,
        expires_at: (await read(started)).expires_at,
        measure_for_sec: 15,
        measured_sec: null,
        devices: null,
        summary: null,
        failure_reason: null,
        can_repeat: false,
      },
    ])
  })

  // contract: getConnectionTestForSubject › The result, when it is there
  test('shows the result, and that the test may be repeated', async () => {
    const started = await running()
    await report(started, 'result', COMPLETED)
    const { summary, devices } = await read(started)
    expect((await readAsSubject(started)).data).toMatchObject({
      status: 'completed',
      summary,
      devices,
      measured_sec: 20.5,
      can_repeat: true,
    })
  })

  // contract: getConnectionTestForSubject › `expired` cannot be repeated
  test('says that a test has expired and cannot be repeated', async () => {
    const started = await start({ expires_in_seconds: 60 })
    plane.now = new Date(plane.now.getTime() + 60_000)
    expect((await readAsSubject(started)).data).toMatchObject({
      status: 'expired',
      can_repeat: false,
    })
  })

  // contract: getConnectionTestForSubject › 401 UNAUTHORIZED for every other ticket
  test('without the ticket of this test is 401 UNAUTHORIZED', async () => {
    const [mine, another] = [await start(), await start()]
    const refused = await readAsSubject({ ...mine, connect_url: another.connect_url })
    expect([refused.status, refused.code]).toEqual([401, 'UNAUTHORIZED'])
  })
})

describe('POST /connection-tests/{connection_test_id}/live/repeat', () => {
  // contract: repeatConnectionTest › 201, `connect_url` of a new test in the same settings
  test('makes a test of the same person with the same settings and expiry', async () => {
    const first = await running({
      name: 'P-07',
      locale: 'en',
      stream_resolution: '640x480',
      stream_frame_rate: 7,
      external_type: 'User',
      external_id: '7',
      expires_in_seconds: 600,
    })
    await report(first, 'result', FAILED)
    const answer = await report(first, 'repeat')
    expect(answer.status).toBe(201)
    const [, id = ''] = /\/t\/([^#]+)#ticket=/.exec(answer.data.connect_url) ?? []
    const again = { id, connect_url: answer.data.connect_url }
    const [one, two] = [await read(first), (await plane.tenant.get(`/connection-tests/${id}`)).data]
    expect(two).toMatchObject({
      status: 'pending',
      failure_reason: null,
      devices: null,
      name: 'P-07',
      external_type: 'User',
      external_id: '7',
      expires_at: one.expires_at,
    })
    expect(two.room_id).not.toBe(one.room_id)
    expect((await readAsSubject(again)).data).toMatchObject({
      locale: 'en',
      stream_resolution: '640x480',
      stream_frame_rate: 7,
    })
    expect((await report(again, 'connected')).status).toBe(200)
  })

  // contract: repeatConnectionTest › 201 with the same test on a repeat
  test('repeated and concurrent requests return the same test with one media room', async () => {
    const first = await running()
    await report(first, 'result', COMPLETED)
    const before = plane.media.rooms.size
    const answers = await Promise.all(Array.from({ length: 10 }, () => report(first, 'repeat')))
    answers.push(await report(first, 'repeat'))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(new Set(answers.map(({ data }) => data.connect_url)).size).toBe(1)
    await rooms.settle()
    const rows = await plane.database.db`
      select 1 from connection_tests where repeat_of = ${first.id}
    `
    expect(rows).toHaveLength(1)
    expect(plane.media.rooms.size).toBeGreaterThan(before)
  })

  // contract: repeatConnectionTest › 422 VALIDATION_ERROR without a result, and when its time is
  //   over
  test.each(['pending', 'running', 'expired'])(
    'of a test that is %s is 422 VALIDATION_ERROR',
    async (state) => {
      const first = await start({ expires_in_seconds: 60 })
      if (state !== 'pending') await report(first, 'connected')
      if (state === 'expired') plane.now = new Date(plane.now.getTime() + 60_000)
      const refused = await report(first, 'repeat')
      expect([refused.status, refused.details]).toEqual([422, [['status', 'NOT_ALLOWED']]])
    },
  )

  // contract: repeatConnectionTest › 422 VALIDATION_ERROR behind the twentieth attempt
  test('after the twentieth attempt is 422 VALIDATION_ERROR', async () => {
    const first = await running()
    await report(first, 'result', FAILED)
    await plane.database.db`update connection_tests set attempt = 19 where id = ${first.id}`
    const { data } = await report(first, 'repeat')
    const last = { id: data.connect_url.split(/\/t\/|#/)[1], connect_url: data.connect_url }
    await report(last, 'connected')
    await report(last, 'result', FAILED)
    expect((await readAsSubject(last)).data.can_repeat).toBe(false)
    expect((await report(last, 'repeat')).status).toBe(422)
  })

  test('of a test that is erased meanwhile is 404 NOT_FOUND, and leaves no rows', async () => {
    const first = await running({ external_type: 'User', external_id: 'erased' })
    await report(first, 'result', FAILED)
    plane.media.onCall = async (call) => {
      if (!call.startsWith('ensureRoom')) return
      plane.media.onCall = undefined
      await plane.database.db`delete from connection_tests where id = ${first.id}`
    }
    const refused = await report(first, 'repeat')
    expect([refused.status, refused.code]).toEqual([404, 'NOT_FOUND'])
    const rows = await plane.database.db`
      select 1 from connection_tests where external_id = 'erased'
    `
    expect(rows).toEqual([])
  })

  // contract: repeatConnectionTest › 502 RTC_PROVISION_FAILED
  test('without a media room is 502 RTC_PROVISION_FAILED', async () => {
    const first = await running()
    await report(first, 'result', FAILED)
    plane.media.isDown = true
    const refused = await report(first, 'repeat')
    plane.media.isDown = false
    expect([refused.status, refused.code]).toEqual([502, 'RTC_PROVISION_FAILED'])
    expect((await report(first, 'repeat')).status).toBe(201)
  })
})

describe('the media connections of a connection test', () => {
  // contract: reportSubjectConnected › Its media connections are no attendance: no EntryHistory, no
  //   W1
  test('are not counted as attendance, and are not removed', async () => {
    const { room_id: roomId } = await running()
    connectBoth(roomId)
    await rooms.run(reconcilePass(plane.deps))
    expect(identitiesIn(roomId)).toEqual(['subject', 'subject-receiver'])
    expect(await entriesOf(roomId)).toHaveLength(0)
    const published = await plane.database.db`
      select 1 from webhook_events
       where type = 'participant.entered' and body like ${`%${roomId}%`}
    `
    expect(published).toHaveLength(0)
  })

  // contract: reportSubjectConnected › Nobody else stays in its media room
  test('removes everybody else from a test, and its subject from an interview', async () => {
    const { room_id: roomId } = await running()
    plane.media.connect(roomId, 'somebody', plane.now)
    const interview = await rooms.book('manual')
    plane.media.connect(interview, 'subject', plane.now)
    await rooms.run(reconcilePass(plane.deps))
    expect([identitiesIn(roomId), identitiesIn(interview)]).toEqual([[], []])
  })
})

describe('a connection test that is to be recorded', () => {
  // contract: reportSubjectConnected › `record`: recorded while it runs, never transcribed
  test('is recorded from the first track to its result, and shows the recording', async () => {
    const started = await running({ record: true, name: 'P-07' })
    const roomId = started.room_id
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(0)
    connectBoth(roomId)
    plane.media.publish(roomId, 'subject')
    await rooms.settle()
    rooms.becomesActive(roomId)
    await rooms.settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
    rooms.later(5 * 60_000 - 1000)
    await rooms.settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
    await report(started, 'result', COMPLETED)
    rooms.completes(rooms.lastEgressOf(roomId))
    await rooms.settle()
    const { id } = await rooms.recordingOf(roomId)
    expect((await read(started)).recordings).toEqual([
      { id, status: 'available', duration_sec: FILE.durationSec },
    ])
    expect(await rooms.statusesOf(id)).toEqual(['started', 'stopped', 'uploaded', 'available'])
    // A test is never transcribed.
    expect(
      await plane.database.db`select 1 from transcriptions where recording_id = ${id}`,
    ).toEqual([])
  })

  // contract: reportSubjectConnected › `consent.given` is noted where the test is recorded
  test('records the consent with which it began, once', async () => {
    const { id, connect_url: url, room_id: roomId } = await running({ record: true, name: 'P-07' })
    await report({ id, connect_url: url }, 'connected')
    const events = (await plane.tenant.get(`/rooms/${roomId}/room-events`)).data.items
    expect(events).toMatchObject([
      {
        event_type: 'consent.given',
        payload: { participant_id: null, identity: 'subject', display_name: 'P-07' },
      },
    ])
  })

  test('is not recorded unless that was requested', async () => {
    const { room_id: roomId } = await running()
    connectBoth(roomId)
    plane.media.publish(roomId, 'subject')
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(0)
  })
})
