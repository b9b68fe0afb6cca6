import { describe, expect, test } from 'vitest'
import { MediaError } from '../../../platform/ports/media.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../../testing/live-room.ts'
import { MINUTE_MS, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { followRecordingJob } from './follow-recording.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

async function recorded() {
  const roomId = await rooms.book('manual')
  const moderator = await rooms.come(roomId, 'moderator')
  await moderator.post('/recording/start')
  rooms.becomesActive(roomId)
  await rooms.settle()
  return { roomId, moderator }
}

async function isBrokenOff(moderator: Guest) {
  const reader = await moderator.listen()
  const { recording } = await reader.wait('snapshot', () => true)
  reader.close()
  return recording?.is_broken_off
}

describe('a moderator', () => {
  // contract: How a Recording runs › Chat messages archive_status, by nobody, public
  // contract: startRecording, pauseRecording, resumeRecording, stopRecording › 200, `recording`
  //   (`id`, `status`, `started_at`, `recorded_sec`, `running_since`, `is_end_wanted`)
  test('starts, pauses, resumes and stops, each published to the room and the chat', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const panelist = await rooms.come(roomId, 'panelist')
    const reader = await panelist.listen()
    const started = await moderator.post('/recording/start')
    expect(started).toMatchObject({ status: 200, data: { recording: { status: 'started' } } })
    await reader.wait('recording', ({ recording }) => recording?.status === 'started')
    rooms.becomesActive(roomId)
    await rooms.settle()
    await reader.wait('recording', ({ recording }) => recording?.running_since !== null)
    expect(await moderator.post('/recording/pause')).toMatchObject({
      data: { recording: { status: 'paused', running_since: null } },
    })
    const [first] = rooms.egressesOf(roomId)
    expect(first?.status).toBe('ending')
    expect(await moderator.post('/recording/resume')).toMatchObject({
      data: { recording: { status: 'started' } },
    })
    expect(rooms.egressesOf(roomId)).toHaveLength(2)
    rooms.becomesActive(roomId)
    await rooms.settle()
    expect(await moderator.post('/recording/stop')).toMatchObject({
      data: { recording: { status: 'stopped' } },
    })
    await reader.wait('recording', ({ recording }) => recording?.status === 'stopped')
    const { id, provider_archive_id } = await rooms.recordingOf(roomId)
    // The id of the first egress, whatever followed.
    expect(provider_archive_id).toBe(first?.egressId)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started', 'stopped'])
    expect(await rooms.roomEventsOf(roomId)).toEqual([
      'recording.started',
      'recording.paused',
      'recording.resumed',
      'recording.stopped',
    ])
    const history = (await panelist.get('/messages')).data.items
    expect(history.map((each: { text: string }) => each.text).toReversed()).toEqual([
      'started',
      'paused',
      'started',
      'stopped',
    ])
    expect(history[0]).toMatchObject({ content_type: 'archive_status', participant_id: null })
    reader.close()
  })

  // contract: How a Recording runs › The chat says started when the egress is active, once for all
  //   segments
  test('reads in the chat that it has started once it is being written, and not before', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await rooms.come(roomId, 'panelist')
    const said = async () => {
      const { items } = (await moderator.get('/messages')).data
      return items.map(({ text }: { text: string }) => text).toReversed()
    }
    await moderator.post('/recording/start', { output_mode: 'individual' })
    await rooms.settle()
    expect(await said()).toEqual([])
    for (const { egressId } of rooms.egressesOf(roomId)) {
      plane.media.moveEgress(egressId, { status: 'active', startedAt: plane.now })
      await rooms.settle()
      // Each person's segment begins, but the recording begins once.
      expect(await said()).toEqual(['started'])
    }
    await moderator.post('/recording/pause')
    await moderator.post('/recording/resume')
    await rooms.settle()
    expect(await said()).toEqual(['started', 'paused'])
    rooms.becomesActive(roomId)
    await rooms.settle()
    expect(await said()).toEqual(['started', 'paused', 'started'])
  })

  test('reads in the chat that it has started, also when its beginning is reported later than its egress', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    const { egressId } = rooms.lastEgressOf(roomId)
    plane.media.moveEgress(egressId, { status: 'active', startedAt: null })
    await rooms.settle()
    plane.media.moveEgress(egressId, { startedAt: plane.now })
    await rooms.settle()
    await rooms.settle()
    const { items } = (await moderator.get('/messages')).data
    expect(items).toMatchObject([{ text: 'started' }])
  })

  // contract: How a Recording runs › The chat is silent about what failed before it began
  test('reads nothing in the chat about a recording that failed before it began, and the end of one that had begun', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const said = async () => {
      const { items } = (await moderator.get('/messages')).data
      return items.map(({ text }: { text: string }) => text).toReversed()
    }
    const fail = async () => {
      plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, { status: 'failed' })
      await rooms.settle()
    }
    await moderator.post('/recording/start')
    await fail()
    expect(await said()).toEqual([])
    await moderator.post('/recording/start')
    rooms.becomesActive(roomId)
    await rooms.settle()
    await fail()
    expect(await said()).toEqual(['started', 'stopped'])
  })

  // contract: How a Recording runs › An egress that begins after the stop is not published
  test('is not notified of a beginning after the end', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    await moderator.post('/recording/stop')
    rooms.becomesActive(roomId)
    await rooms.settle()
    const { items } = (await moderator.get('/messages')).data
    expect(items).toMatchObject([{ text: 'stopped' }])
  })

  // contract: How a Recording runs › `is_end_wanted`: whether a moderator ended it and everybody
  //   stayed
  test('reads is_end_wanted after a stop, until everybody has left', async () => {
    const roomId = await rooms.book('always')
    const moderator = await rooms.come(roomId, 'moderator')
    const panelist = await rooms.come(roomId, 'panelist')
    await rooms.settle()
    const isEndWanted = async () => {
      const reader = await moderator.listen()
      const { recording } = await reader.wait('snapshot', () => true)
      reader.close()
      return recording?.is_end_wanted
    }
    expect(await isEndWanted()).toBe(false)
    await moderator.post('/recording/stop')
    expect(await isEndWanted()).toBe(true)
    rooms.later(1000)
    await panelist.leave()
    expect(await isEndWanted()).toBe(true)
    rooms.later(1000)
    await moderator.leave()
    expect(await isEndWanted()).toBe(false)
  })

  describe('reads is_broken_off', () => {
    // contract: streamRoom, startRecording, pauseRecording, resumeRecording, stopRecording ›
    //   `is_broken_off` once a recording ended without a moderator's stop
    test('after an end by the provider, until everybody has left', async () => {
      const { roomId, moderator } = await recorded()
      expect(await isBrokenOff(moderator)).toBe(false)
      rooms.completes(rooms.lastEgressOf(roomId))
      await rooms.settle()
      expect(await isBrokenOff(moderator)).toBe(true)
      rooms.later(1000)
      await moderator.leave()
      rooms.later(59_000)
      const returned = await rooms.come(roomId, 'moderator')
      expect(await isBrokenOff(returned)).toBe(true)
      await returned.leave()
      rooms.later(60_000)
      expect(await isBrokenOff(await rooms.come(roomId, 'moderator'))).toBe(false)
    })

    test('when it ended because the room was empty', async () => {
      const { roomId, moderator } = await recorded()
      await moderator.leave()
      rooms.later(MINUTE_MS + 1000)
      await rooms.settle()
      expect(await isBrokenOff(await rooms.come(roomId, 'moderator'))).toBe(true)
    })

    test("never after a moderator's stop", async () => {
      const { roomId, moderator } = await recorded()
      await moderator.post('/recording/stop')
      expect(await isBrokenOff(moderator)).toBe(false)
      rooms.later(1000)
      await moderator.leave()
      rooms.later(1000)
      expect(await isBrokenOff(await rooms.come(roomId, 'moderator'))).toBe(false)
    })
  })

  test('sees the recorded time, without pauses and the time to write the file', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const reader = await moderator.listen()
    await moderator.post('/recording/start')
    rooms.becomesActive(roomId)
    await rooms.settle()
    rooms.later(10_000)
    const paused = { recording: { recorded_sec: 10, running_since: null } }
    expect((await moderator.post('/recording/pause')).data).toMatchObject(paused)
    rooms.later(30_000)
    await rooms.settle()
    const { data } = await moderator.post('/recording/resume')
    expect(data).toMatchObject({ recording: { recorded_sec: 10, running_since: null } })
    rooms.becomesActive(roomId)
    await rooms.settle()
    const { recording } = await reader.wait(
      'recording',
      (published) =>
        published.recording?.recorded_sec === 10 && published.recording.running_since !== null,
    )
    expect(recording?.running_since).toBe(plane.now.toISOString())
    reader.close()
  })

  test('sees the clock of the media, which begins later than the egress', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const reader = await moderator.listen()
    await moderator.post('/recording/start')
    const { egressId } = rooms.lastEgressOf(roomId)
    const asked = plane.now
    plane.media.moveEgress(egressId, { status: 'active', startedAt: asked })
    await rooms.settle()
    const began = new Date(asked.getTime() + 6000)
    plane.media.moveEgress(egressId, { startedAt: began })
    rooms.later(10_000)
    await rooms.settle()
    const since = began.toISOString()
    await reader.wait('recording', ({ recording }) => recording?.running_since === since)
    reader.close()
    const paused = await moderator.post('/recording/pause')
    expect(paused.data).toMatchObject({ recording: { recorded_sec: 4 } })
  })

  // contract: startRecording, pauseRecording, resumeRecording, stopRecording › A repeat changes
  //   nothing
  test('repeats a command without another effect', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await Promise.all([moderator.post('/recording/start'), moderator.post('/recording/start')])
    await moderator.post('/recording/pause')
    await moderator.post('/recording/pause')
    await moderator.post('/recording/stop')
    await moderator.post('/recording/stop')
    const { id } = await rooms.recordingOf(roomId)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'stopped'])
  })

  // contract: startRecording › A start while the recording is paused resumes it
  test('resumes a paused recording with start', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    rooms.becomesActive(roomId)
    await rooms.settle()
    await moderator.post('/recording/pause')
    expect(await moderator.post('/recording/start')).toMatchObject({
      status: 200,
      data: { recording: { status: 'started' } },
    })
    expect(rooms.egressesOf(roomId)).toHaveLength(2)
    const { id } = await rooms.recordingOf(roomId)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started'])
    expect((await rooms.roomEventsOf(roomId)).at(-1)).toBe('recording.resumed')
  })

  // contract: pauseRecording, resumeRecording › 409 RECORDING_NOT_AVAILABLE without one
  test.each(['pause', 'resume'])('cannot %s without a recording: 409', async (word) => {
    const moderator = await rooms.come(await rooms.book('manual'), 'moderator')
    const answer = await moderator.post(`/recording/${word}`)
    expect(answer).toMatchObject({ status: 409, code: 'RECORDING_NOT_AVAILABLE' })
  })

  // contract: startRecording, pauseRecording, resumeRecording, stopRecording › 422 VALIDATION_ERROR
  //   for other roles
  test.each(['panelist', 'observer', 'platform_observer'] as const)(
    'is the only role: a %s is refused with 422',
    async (role) => {
      const guest = await rooms.come(await rooms.book('manual'), role)
      for (const word of ['start', 'pause', 'resume', 'stop']) {
        expect(await guest.post(`/recording/${word}`)).toMatchObject({
          status: 422,
          details: [['role', 'NOT_ALLOWED']],
        })
      }
    },
  )

  // contract: How a Recording runs › An automatic recording that does not begin: 502 to a moderator
  test('returns 502 while an automatic recording does not start', async () => {
    const roomId = await rooms.book('always')
    const moderator = await rooms.come(roomId, 'moderator')
    plane.media.onCall = (call) => {
      if (call.startsWith('startEgress')) throw new MediaError('no worker')
    }
    await expect(rooms.run(followRecordingJob(plane.deps), roomId)).rejects.toThrow('no worker')
    for (const waitMs of [0, 20_000]) {
      rooms.later(waitMs)
      const answer = await moderator.post('/recording/start')
      expect(answer).toMatchObject({ status: 502, code: 'RTC_PROVISION_FAILED' })
    }
    plane.media.onCall = undefined
    rooms.later(20_000)
    expect(await moderator.post('/recording/start')).toMatchObject({
      data: { recording: { status: 'started' } },
    })
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
  })

  // contract: startRecording › 502 RTC_PROVISION_FAILED, and nothing is left
  test('returns 502 when the provider does not start, and leaves no recording', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    plane.media.isDown = true
    const answer = await moderator.post('/recording/start')
    plane.media.isDown = false
    expect(answer).toMatchObject({ status: 502, code: 'RTC_PROVISION_FAILED' })
    expect(await rooms.recordingsOf(roomId)).toHaveLength(0)
    rooms.later(3 * MINUTE_MS)
    await rooms.settle()
    const left = await plane.database.db`select 1 from recording_segments where room_id = ${roomId}`
    expect(left).toHaveLength(0)
  })
  // contract: resumeRecording › 502 RTC_PROVISION_FAILED when the provider does not say who is
  //   there
  test('returns 502 when the provider cannot list the participants', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    await moderator.post('/recording/pause')
    plane.media.isDown = true
    const answer = await moderator.post('/recording/resume')
    plane.media.isDown = false
    expect(answer).toMatchObject({ status: 502, code: 'RTC_PROVISION_FAILED' })
    expect((await rooms.recordingOf(roomId)).status).toBe('paused')
  })
})
