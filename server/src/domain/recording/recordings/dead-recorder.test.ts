import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { MediaError } from '../../../platform/ports/media.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import {
  notifyOfEgress,
  postNotification,
  signNotification,
} from '../../../testing/provider-notification.ts'
import { reconcilePass } from '../../../testing/reconcile-pass.ts'
import { FILE, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { webhooksOf } from '../../../testing/recordings.ts'
import { runJobs } from '../../../testing/run-jobs.ts'
import { alarmsOf } from '../../board/alarms.ts'
import { applyNotificationsJob } from '../../notifications/apply-notifications.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

beforeEach(() => {
  // Rooms of earlier tests would be reconciled, too.
  plane.media.resetEgresses()
  // Tokens are signed for this moment.
  plane.now = new Date()
})

async function begin() {
  const roomId = await rooms.book('manual')
  const moderator = await rooms.come(roomId, 'moderator')
  await moderator.post('/recording/start')
  await recorderBegins(roomId)
  return { roomId, moderator }
}

/** The newest egress starts to record, and its recorder joins the media room. */
async function recorderBegins(roomId: string): Promise<void> {
  rooms.becomesActive(roomId)
  const { egressId } = rooms.lastEgressOf(roomId)
  plane.media.connect(roomId, egressId, plane.now).isPerson = false
  plane.media.hidden.add(egressId)
  await rooms.settle()
}

const reconcile = () => rooms.run(reconcilePass(plane.deps))

/** The same as a `kill -9`: the provider still lists the egress as active. */
function dies(roomId: string): string {
  const { egressId } = rooms.lastEgressOf(roomId)
  plane.media.loseWorkerOf(egressId)
  plane.media.disconnect(roomId, egressId)
  return egressId
}

/** The same while its recorder is still in the media room. */
function diesUnnoticed(roomId: string): string {
  const { egressId } = rooms.lastEgressOf(roomId)
  plane.media.loseWorkerOf(egressId)
  return egressId
}

/** Runs the room's job as a worker does: again after an error of the provider. */
async function settleInSpiteOfErrors(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await rooms.settle().catch(unlessOfTheProvider)
}

function unlessOfTheProvider(error: unknown): void {
  if (!(error instanceof MediaError)) throw error
}

async function publishDeparture(roomId: string, egressId: string): Promise<void> {
  const body = JSON.stringify({
    id: `EV_${randomUUID()}`,
    event: 'participant_left',
    room: { name: roomId },
    participant: { identity: egressId, sid: 'PA_recorder', kind: 'EGRESS', joinedAt: '1780000000' },
  })
  expect(await postNotification(plane.app, body, await signNotification(plane.deps, body))).toBe(
    200,
  )
  await runJobs(plane.database.db, applyNotificationsJob(plane.deps))
}

/** Moves past the grace period in which a recorder may report why it left. */
async function afterGrace(): Promise<void> {
  // The database sets the time of reports, and its clock has moved on.
  plane.now = new Date(Math.max(plane.now.getTime(), Date.now()) + 6_000)
  await rooms.settle()
}

async function rowOf(roomId: string) {
  const [row] = await plane.database.db<{ id: string; interruptedAt: Date | null }[]>`
    select id, interrupted_at as "interruptedAt" from recordings where room_id = ${roomId}
  `
  if (row === undefined) throw new Error('no recording')
  return row
}

describe('a recorder that dies silently', () => {
  test('is reported by W3, the log and the alarm within seconds, and another recorder starts', async () => {
    const { roomId } = await begin()
    const { id } = await rowOf(roomId)
    const dead = dies(roomId)
    await publishDeparture(roomId, dead)
    expect(await rooms.statusesOf(id)).toEqual(['started'])
    await afterGrace()
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused'])
    expect(await rooms.roomEventsOf(roomId)).toEqual([
      'recording.started',
      'recording.paused',
      'recording.failed',
    ])
    const { interruptedAt } = await rowOf(roomId)
    expect(interruptedAt).not.toBeNull()
    const [alarm] = alarmsOf(
      {
        startsAt: plane.now,
        endsAt: plane.now,
        archiveMode: 'manual',
        people: [],
        panelistLeftAt: null,
        moderatorLeftAt: null,
        recording: { status: 'paused', endedAt: null, interruptedAt, isBrokenOff: false },
        lacks: [],
        helpRequests: [],
      },
      plane.now,
    )
    expect(alarm).toMatchObject({ code: 'RECORDING_NOT_ACTIVE', since: interruptedAt })

    expect(rooms.lastEgressOf(roomId).egressId).not.toBe(dead)
    await recorderBegins(roomId)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started'])
    expect((await rooms.roomEventsOf(roomId)).at(-1)).toBe('recording.resumed')
    expect((await rowOf(roomId)).interruptedAt).toBeNull()
    expect((await rooms.recordingOf(roomId)).provider_archive_id).toBe(dead)
  })

  test('is also noticed by the list when no notification arrives', async () => {
    const { roomId } = await begin()
    const { id } = await rowOf(roomId)
    await reconcile()
    dies(roomId)
    await reconcile()
    await afterGrace()
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused'])
    expect(rooms.egressesOf(roomId)).toHaveLength(2)
  })

  test('and loses its file does not count in the time shown on the pages', async () => {
    const { roomId, moderator } = await begin()
    rooms.later(10_000)
    await moderator.post('/recording/pause')
    rooms.completes(rooms.lastEgressOf(roomId))
    await rooms.settle()
    await moderator.post('/recording/resume')
    await recorderBegins(roomId)
    await publishDeparture(roomId, dies(roomId))
    await afterGrace()
    const { data } = await moderator.post('/recording/pause')
    expect(data).toMatchObject({
      recording: { status: 'paused', recorded_sec: FILE.durationSec, running_since: null },
    })
  })

  test('and comes back later with its data: the recording continues with another segment', async () => {
    const { roomId, moderator } = await begin()
    const { id } = await rowOf(roomId)
    const killed = rooms.lastEgressOf(roomId)
    rooms.later(10_000)
    plane.media.disconnect(roomId, killed.egressId)
    plane.media.moveEgress(killed.egressId, {
      status: 'ending',
      endedAt: plane.now,
      hasRecorderFailed: true,
    })
    await notifyOfEgress(plane, rooms.lastEgressOf(roomId))
    await rooms.settle()
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused'])
    expect(rooms.egressesOf(roomId)).toHaveLength(2)
    await recorderBegins(roomId)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started'])
    rooms.completes(killed)
    await rooms.settle()
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started'])
    const segments = await plane.database.db`
      select status from recording_segments where recording_id = ${id} order by position
    `
    expect(segments.map(({ status }) => status)).toEqual(['complete', 'active'])
    await moderator.post('/recording/stop')
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started', 'stopped'])
  })

  test('leaves a recording of what its successor writes', async () => {
    const { roomId, moderator } = await begin()
    await publishDeparture(roomId, dies(roomId))
    await afterGrace()
    await recorderBegins(roomId)
    await moderator.post('/recording/stop')
    rooms.completes(rooms.lastEgressOf(roomId))
    await rooms.settle()
    const { status, duration_sec } = await rooms.recordingOf(roomId)
    expect({ status, duration_sec }).toEqual({
      status: 'available',
      duration_sec: FILE.durationSec,
    })
  })

  test('whose successors die, too, is replaced at most five times, and the segments kept before become available', async () => {
    const { roomId, moderator } = await begin()
    const { id } = await rowOf(roomId)
    await moderator.post('/recording/pause')
    rooms.completes(rooms.lastEgressOf(roomId))
    await moderator.post('/recording/resume')
    await recorderBegins(roomId)
    const before = rooms.egressesOf(roomId).length
    for (let death = 0; death < 6; death += 1) {
      await publishDeparture(roomId, dies(roomId))
      await afterGrace()
      if (death < 5) await recorderBegins(roomId)
    }
    await rooms.settle()
    expect(rooms.egressesOf(roomId)).toHaveLength(before + 5)
    expect((await rooms.recordingOf(roomId)).status).toBe('available')
    expect((await rooms.statusesOf(id)).slice(-4)).toEqual([
      'started',
      'stopped',
      'uploaded',
      'available',
    ])
  })

  test('without any kept segment fails the recording in the end, even if no other recorder begins', async () => {
    const { roomId } = await begin()
    const { id } = await rowOf(roomId)
    await publishDeparture(roomId, dies(roomId))
    await afterGrace()
    for (let attempt = 0; attempt < 5; attempt += 1) {
      rooms.later(91_000)
      await rooms.settle()
      rooms.later(11_000)
      await rooms.settle()
    }
    expect(rooms.egressesOf(roomId)).toHaveLength(6)
    expect((await rooms.statusesOf(id)).at(-1)).toBe('failed')
    expect((await webhooksOf(plane, `recording:${id}`)).at(-1)?.data).toMatchObject({
      failure_reason: 'provider_failed',
    })
  })
})

describe('a moderator, while the recorder is dead,', () => {
  test('may pause, and then nothing starts automatically', async () => {
    const { roomId, moderator } = await begin()
    await publishDeparture(roomId, dies(roomId))
    await afterGrace()
    expect((await moderator.post('/recording/pause')).status).toBe(200)
    plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, { status: 'aborted' })
    await rooms.settle()
    rooms.later(60_000)
    await rooms.settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('paused')
    expect(rooms.egressesOf(roomId)).toHaveLength(2)
  })

  test('may resume, with the segment that is already beginning', async () => {
    const { roomId, moderator } = await begin()
    const { id } = await rowOf(roomId)
    await publishDeparture(roomId, dies(roomId))
    await afterGrace()
    expect((await moderator.post('/recording/resume')).status).toBe(200)
    await recorderBegins(roomId)
    expect(rooms.egressesOf(roomId)).toHaveLength(2)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started'])
  })

  test('may have paused and resumed while the failure was unnoticed: the running segment is not interrupted', async () => {
    const { roomId, moderator } = await begin()
    const { id } = await rowOf(roomId)
    await publishDeparture(roomId, dies(roomId))
    const looking = vi.spyOn(plane.media, 'listConnections')
    looking.mockImplementationOnce(async (mediaRoom) => {
      looking.mockRestore()
      const found = await plane.media.listConnections(mediaRoom)
      await moderator.post('/recording/pause')
      await moderator.post('/recording/resume')
      return found
    })
    // Its worker answers no stop.
    await afterGrace().catch(unlessOfTheProvider)
    expect(rooms.egressesOf(roomId)).toHaveLength(2)
    expect(await rooms.statusesOf(id)).toEqual(['started', 'paused', 'started'])
    expect((await rowOf(roomId)).interruptedAt).toBeNull()
  })

  test('may stop: no other segment begins, and the recording fails without any segment', async () => {
    const { roomId, moderator } = await begin()
    await publishDeparture(roomId, dies(roomId))
    await afterGrace()
    await moderator.post('/recording/stop')
    plane.media.moveEgress(rooms.lastEgressOf(roomId).egressId, { status: 'aborted' })
    await rooms.settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('failed')
    expect(rooms.egressesOf(roomId)).toHaveLength(2)
  })
})

describe('a dead recorder that is asked to stop', () => {
  test('does not delay the beginning of the next segment', async () => {
    const { roomId, moderator } = await begin()
    diesUnnoticed(roomId)
    expect((await moderator.post('/recording/pause')).status).toBe(200)
    await settleInSpiteOfErrors()
    expect((await moderator.post('/recording/resume')).status).toBe(200)
    await settleInSpiteOfErrors()
    expect(rooms.egressesOf(roomId)).toHaveLength(2)
  })

  test('counts as lost within half a minute after it left, and the pause takes effect', async () => {
    const { roomId, moderator } = await begin()
    const dead = diesUnnoticed(roomId)
    await moderator.post('/recording/pause')
    await settleInSpiteOfErrors()
    plane.media.disconnect(roomId, dead)
    await publishDeparture(roomId, dead)
    plane.now = new Date(Math.max(plane.now.getTime(), Date.now()) + 31_000)
    await settleInSpiteOfErrors()
    expect(await rooms.roomEventsOf(roomId)).toEqual([
      'recording.started',
      'recording.paused',
      'recording.failed',
    ])
    expect((await rooms.recordingOf(roomId)).status).toBe('paused')
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
  })

  test("does not delay the end of the room's next recording", async () => {
    const { roomId, moderator } = await begin()
    const dead = diesUnnoticed(roomId)
    plane.media.disconnect(roomId, dead)
    await publishDeparture(roomId, dead)
    await afterGrace()
    await recorderBegins(roomId)
    await moderator.post('/recording/stop')
    rooms.completes(rooms.lastEgressOf(roomId))
    await rooms.settle()
    expect((await rooms.recordingOf(roomId)).status).toBe('available')

    expect((await moderator.post('/recording/start')).status).toBe(200)
    await settleInSpiteOfErrors()
    rooms.becomesActive(roomId)
    await moderator.post('/recording/stop')
    rooms.completes(rooms.lastEgressOf(roomId))
    await settleInSpiteOfErrors()
    const all = await rooms.recordingsOf(roomId)
    expect(all.map(({ status }) => status)).toEqual(['available', 'available'])
  })
})

describe('a recorder does not count as dead', () => {
  test('if it is back before the check', async () => {
    const { roomId } = await begin()
    const egressId = dies(roomId)
    await publishDeparture(roomId, egressId)
    plane.media.connect(roomId, egressId, plane.now).isPerson = false
    await afterGrace()
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
  })

  test('if it never joins the media room, like that of the embedded server', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    await moderator.post('/recording/start')
    rooms.becomesActive(roomId)
    await rooms.settle()
    for (let look = 0; look < 3; look += 1) {
      await reconcile()
      await afterGrace()
    }
    expect((await rooms.recordingOf(roomId)).status).toBe('started')
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
  })

  test('if it ends with its file, in any order of the reports', async () => {
    const { roomId } = await begin()
    const { id } = await rowOf(roomId)
    await publishDeparture(roomId, dies(roomId))
    rooms.completes(rooms.lastEgressOf(roomId))
    await afterGrace()
    expect((await rooms.statusesOf(id)).at(-1)).toBe('available')
    expect(rooms.egressesOf(roomId)).toHaveLength(1)
  })
})
