import { beforeEach, describe, expect, test, vi } from 'vitest'
import { MediaError } from '../../../platform/ports/media.ts'
import { deleteObjectsJob } from '../../../platform/storage/delete-objects.job.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { runJobs } from '../../../testing/run-jobs.ts'
import { waitFor } from '../../../testing/wait-for.ts'
import { finishRecordingJob } from '../recording-files/finish-recording.job.ts'
import { followRecordingJob } from './follow-recording.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

const FIRST = 'http://first.test'
const SECOND = 'http://second.test'

beforeEach(() => {
  // Rooms of earlier tests would be reconciled, too.
  plane.media.resetEgresses()
  plane.media.recorders.splice(0, 1, FIRST, SECOND)
  plane.media.onCall = undefined
  plane.now = new Date()
})

async function enter() {
  const roomId = await rooms.book('manual')
  return { roomId, moderator: await rooms.come(roomId, 'moderator') }
}

/** The newest egress starts to record, and its recorder joins the media room. */
async function recorderBegins(roomId: string): Promise<void> {
  rooms.becomesActive(roomId)
  const { egressId } = rooms.lastEgressOf(roomId)
  plane.media.connect(roomId, egressId, plane.now).isPerson = false
  plane.media.moveEgress(egressId, { writtenBytes: 1_000 })
  await settle(roomId)
}

/** Runs all automatic steps of this room only, because a recorder stays silent beyond its test. */
async function settle(roomId: string): Promise<void> {
  const { db } = plane.database
  for (let round = 0; round < 3; round += 1) {
    await rooms.run(followRecordingJob(plane.deps), roomId)
    await runJobs(db, finishRecordingJob({ ...plane.deps, onAvailable: async () => {} }))
    await runJobs(db, deleteObjectsJob(plane.deps))
  }
}

/** A room recorded by the first recorder. */
async function begin() {
  const { roomId, moderator } = await enter()
  await moderator.post('/recording/start', { output_mode: 'composed' })
  await recorderBegins(roomId)
  expect(writtenBy(roomId)).toEqual([FIRST])
  return { roomId, moderator, id: (await rooms.recordingOf(roomId)).id }
}

/** The recorders that have begun, in order. */
function writtenBy(roomId: string): (string | undefined)[] {
  return rooms.egressesOf(roomId).map(({ spec }) => spec.recorder)
}

const statusOf = (egressId: string) => plane.media.egresses.get(egressId)?.status

function unlessOfTheProvider(error: unknown): void {
  if (!(error instanceof MediaError)) throw error
}

/** Runs the workers' checks, every ten seconds. The recorder of the newest egress writes if told to. */
async function passes(
  roomId: string,
  sec: number,
  { writes }: { writes?: string } = {},
): Promise<void> {
  for (let passed = 0; passed < sec; passed += 10) {
    rooms.later(10_000)
    const egress = plane.media.egresses.get(writes ?? '')
    if (egress !== undefined) {
      const writtenBytes = (egress.writtenBytes ?? 0) + 1_000
      plane.media.moveEgress(egress.egressId, { writtenBytes })
    }
    await settle(roomId).catch(unlessOfTheProvider)
  }
}

async function segmentsOf(roomId: string) {
  return plane.database.db<{ recorder: string | null; isGivenUp: boolean }[]>`
    select recorder, recording_id is null as "isGivenUp"
      from recording_segments
     where room_id = ${roomId}
     order by recording_id is not null
  `
}

describe('a start', () => {
  test('refused by the first recorder is taken by the next one', async () => {
    plane.media.faults.set(FIRST, 'full')
    const { roomId, moderator } = await enter()
    expect((await moderator.post('/recording/start')).status).toBe(200)
    expect(writtenBy(roomId)).toEqual([SECOND])
    // A refused segment needs no further attention.
    expect(await segmentsOf(roomId)).toEqual([{ recorder: SECOND, isGivenUp: false }])
  })

  test('refused by all recorders fails, and the next start tries all of them again', async () => {
    for (const recorder of [FIRST, SECOND]) plane.media.faults.set(recorder, 'full')
    const { roomId, moderator } = await enter()
    const answer = await moderator.post('/recording/start')
    expect(answer).toMatchObject({ status: 502, code: 'RTC_PROVISION_FAILED' })
    expect(await rooms.recordingsOf(roomId)).toEqual([])
    plane.media.faults.delete(FIRST)
    expect((await moderator.post('/recording/start')).status).toBe(200)
    expect(writtenBy(roomId)).toEqual([FIRST])
  })

  test('not answered by the first recorder is taken by the next one', async () => {
    plane.media.faults.set(FIRST, 'silent')
    const { roomId, moderator } = await enter()
    expect((await moderator.post('/recording/start')).status).toBe(200)
    expect(writtenBy(roomId)).toEqual([SECOND])
    await recorderBegins(roomId)
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
    // The first segment is searched for as long as its answer may have been lost.
    expect((await segmentsOf(roomId)).map(({ isGivenUp }) => isGivenUp)).toEqual([true, false])
    plane.media.faults.clear()
    await passes(roomId, 130, { writes: rooms.lastEgressOf(roomId).egressId })
    expect(await segmentsOf(roomId)).toEqual([{ recorder: SECOND, isGivenUp: false }])
    expect(writtenBy(roomId)).toEqual([SECOND])
  })

  test('whose answer was lost records nobody twice: the first egress is ended and its file deleted', async () => {
    plane.media.loseNextAnswer()
    const { roomId, moderator } = await enter()
    expect((await moderator.post('/recording/start')).status).toBe(200)
    expect(writtenBy(roomId)).toEqual([FIRST, SECOND])
    const [unwanted, wanted] = rooms.egressesOf(roomId)
    if (unwanted === undefined || wanted === undefined) throw new Error('not both have begun')
    // They never write to the same key.
    expect(unwanted.outputPath).not.toBe(wanted.outputPath)
    await recorderBegins(roomId)
    await settle(roomId)
    expect([statusOf(unwanted.egressId), statusOf(wanted.egressId)]).toEqual(['ending', 'active'])

    const key = String(unwanted.outputPath).split('/').slice(-3).join('/')
    rooms.completes(unwanted)
    expect(plane.storage.objects.has(key)).toBe(true)
    await passes(roomId, 20, { writes: wanted.egressId })
    expect(plane.storage.objects.has(key)).toBe(false)
    await moderator.post('/recording/stop')
    rooms.completes(wanted)
    await settle(roomId)
    const { status, provider_archive_id } = await rooms.recordingOf(roomId)
    expect([status, provider_archive_id]).toEqual(['available', wanted.egressId])
  })

  test.each([
    ['refuses', new MediaError('full', { hasNoEffect: true })],
    ['gives no answer', new MediaError('timed out')],
  ])(
    'that was stopped meanwhile is not repeated elsewhere when the recorder %s',
    async (_what, error) => {
      const { roomId, moderator } = await enter()
      const answer = Promise.withResolvers<void>()
      let asked = 0
      plane.media.onCall = async (call) => {
        if (!call.startsWith('startEgress')) return
        asked += 1
        await answer.promise
        throw error
      }
      const starting = moderator.post('/recording/start')
      await waitFor(() => asked > 0)
      expect((await moderator.post('/recording/stop')).status).toBe(200)
      answer.resolve()
      await starting
      expect(asked).toBe(1)
      plane.media.onCall = undefined
      await passes(roomId, 3 * 60)
      expect(writtenBy(roomId)).toEqual([])
      expect(await segmentsOf(roomId)).toEqual([])
    },
  )

  test('that a killed process requested is found where it began, and is not repeated elsewhere', async () => {
    const roomId = await killedStart({ hasBegun: true })
    await passes(roomId, 20)
    expect(writtenBy(roomId)).toEqual([FIRST])
    await recorderBegins(roomId)
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
  })

  test('that a killed process requested goes to the next recorder if it has not begun', async () => {
    const roomId = await killedStart({ hasBegun: false })
    await passes(roomId, 20)
    expect(writtenBy(roomId)).toEqual([SECOND])
    await recorderBegins(roomId)
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
  })
})

/** Simulates the death of a moderator's process at its call to the first recorder. */
async function killedStart({ hasBegun }: { hasBegun: boolean }): Promise<string> {
  const { roomId, moderator } = await enter()
  const called = Promise.withResolvers<void>()
  const starting = vi.spyOn(plane.media, 'startEgress')
  starting.mockImplementationOnce(async (spec) => {
    starting.mockRestore()
    if (hasBegun) await plane.media.startEgress(spec)
    called.resolve()
    return new Promise<never>(() => {})
  })
  void moderator.post('/recording/start').catch(() => {})
  await called.promise
  return roomId
}

describe('while one recorder is silent', () => {
  test('a recording on another one continues undisturbed, pauses, resumes and stops', async () => {
    plane.media.recorders.reverse()
    const { roomId, moderator } = await enter()
    await moderator.post('/recording/start', { output_mode: 'composed' })
    await recorderBegins(roomId)
    plane.media.faults.set(FIRST, 'silent')
    const { egressId } = rooms.lastEgressOf(roomId)
    await passes(roomId, 60, { writes: egressId })
    const { id } = await rooms.recordingOf(roomId)
    expect(await rooms.statusesOf(id)).toEqual(['started'])

    expect((await moderator.post('/recording/pause')).status).toBe(200)
    expect(statusOf(egressId)).toBe('ending')
    rooms.completes(rooms.lastEgressOf(roomId))
    expect((await moderator.post('/recording/resume')).status).toBe(200)
    await recorderBegins(roomId)
    expect((await moderator.post('/recording/stop')).status).toBe(200)
    expect(rooms.lastEgressOf(roomId).status).toBe('ending')
    expect(writtenBy(roomId)).toEqual([SECOND, SECOND])
  })

  test('its own recording is not lost because its list lacks it', async () => {
    const { roomId, moderator } = await enter()
    await moderator.post('/recording/start')
    // The same as with the embedded server: neither the media room nor written bytes show whether it is writing.
    rooms.becomesActive(roomId)
    await settle(roomId)
    plane.media.faults.set(FIRST, 'silent')
    await passes(roomId, 60)
    expect(writtenBy(roomId)).toEqual([FIRST])
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
  })

  test('its own recording continues on another one within half a minute', async () => {
    const { roomId, id } = await begin()
    const stuck = rooms.lastEgressOf(roomId).egressId
    plane.media.faults.set(FIRST, 'silent')
    await passes(roomId, 30)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused'])
    expect(writtenBy(roomId)).toEqual([FIRST, SECOND])
    await recorderBegins(roomId).catch(unlessOfTheProvider)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started'])

    // It does not answer the stop. The other recorders do not know the egress, which does not end it.
    expect(statusOf(stuck)).toBe('active')
    plane.media.faults.clear()
    await passes(roomId, 10, { writes: rooms.lastEgressOf(roomId).egressId })
    expect(statusOf(stuck)).toBe('ending')
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started'])
  })
})

test('a recording whose recorder has died continues on another one', async () => {
  const { roomId, id } = await begin()
  const dead = rooms.lastEgressOf(roomId).egressId
  plane.media.faults.set(FIRST, 'silent')
  await settle(roomId)
  plane.media.disconnect(roomId, dead)
  await plane.database.db`
    update recording_segments set recorder_gone_at = ${plane.now} where egress_id = ${dead}
  `
  await passes(roomId, 10)
  expect(await rooms.statusesOf(id)).toEqual(['started', 'paused'])
  expect(writtenBy(roomId)).toEqual([FIRST, SECOND])
  await recorderBegins(roomId)
  expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started'])
})

test('a recording that no recorder can continue is retried after seconds', async () => {
  const { roomId, id } = await begin()
  for (const recorder of [FIRST, SECOND]) plane.media.faults.set(recorder, 'full')
  const { egressId } = rooms.lastEgressOf(roomId)
  rooms.later(1_000)
  plane.media.moveEgress(egressId, { status: 'ending', hasRecorderFailed: true })
  await settle(roomId).catch(unlessOfTheProvider)
  expect(await rooms.statusesOf(id)).toEqual(['started', 'paused'])
  rooms.later(1_000)
  plane.media.faults.clear()
  const before = plane.media.calls.length
  await settle(roomId)
  expect(plane.media.calls.slice(before)).not.toContain(`startEgress ${roomId}`)
  rooms.later(2_000)
  await settle(roomId)
  expect(writtenBy(roomId)).toEqual([FIRST, expect.any(String)])
  await recorderBegins(roomId)
  expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started'])
})

describe('a recorder that is removed from the configuration', () => {
  test('is not asked any more, and its recording continues on another one', async () => {
    const { roomId, id, moderator } = await begin()
    plane.media.recorders.splice(0, 2, SECOND)
    await passes(roomId, 30)
    expect(writtenBy(roomId)).toEqual([FIRST, SECOND])
    await recorderBegins(roomId).catch(unlessOfTheProvider)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started'])

    await moderator.post('/recording/stop')
    rooms.completes(rooms.lastEgressOf(roomId))
    // Nobody reports how its segment ended, so the storage decides.
    await passes(roomId, 6 * 60)
    expect((await rooms.recordingOf(roomId)).status).toBe('available')
  })
})
