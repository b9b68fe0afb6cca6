import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { RecordingBody } from '@interview-room/contract/recordings.ts'
import type { RoomEventBody } from '@interview-room/contract/room-events.ts'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import { describe, expect, test } from 'vitest'
import {
  egressFolders,
  filesBelow,
  leftoversOf,
  listKeysBeside,
  NOTHING_LEFT,
} from './harness/leftovers.ts'
import {
  openRecordedRoom,
  type RecordedRoom,
  recordingsOf,
  untilEnded,
  untilRecorded,
} from './harness/recorded.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { LATER_MS, untilSeen, waitFor } from './harness/wait.ts'

/** Rounds: ten in the long run, which kills at every step. */
const CRASHES = Number(process.env['RECORDING_CRASHES'] ?? 1)
const RUNS = Array.from({ length: CRASHES }, (_, index) => index + 1)
const FAILED =
  /^failed, (start_timeout|provider_failed|provider_aborted|storage_missing|upload_failed|internal)$/
const ENDED = new RegExp(`^available$|${FAILED.source}`)
const NONE_OR_ENDED = new RegExp(`^none$|${ENDED.source}`)

const env = useTestEnvironment({
  ownService: { env: { RECONCILE_EVERY_SEC: '2', JOB_LEASE_SEC: '5' } },
  hasBrowser: false,
})
const roomIds: string[] = []

async function openRoom(): Promise<RecordedRoom> {
  const room = await openRecordedRoom(env)
  roomIds.push(room.roomId)
  return room
}

const record = async ({ moderator }: RecordedRoom) => {
  await moderator.post('/recording/start')
  await untilRecorded(moderator, 1.5)
}

async function killAndStart(): Promise<void> {
  await env.service.kill()
  await env.startAgain()
}

/** The moment of the kill, after a request. Runs take turns. */
interface Moment {
  when: string
  /** Undefined: immediately, no matter how far the request has come. */
  isReached?: () => boolean
}

const momentOf = (moments: readonly Moment[], run: number): Moment => {
  const moment = moments[(run - 1) % moments.length]
  if (moment === undefined) throw new RangeError('no moment to be killed at')
  return moment
}

/** Every request may fail. */
async function killDuring(asked: Promise<unknown>, { when, isReached }: Moment): Promise<void> {
  const settled = asked.catch(() => {})
  if (isReached !== undefined) await untilSeen(isReached, when)
  await env.service.kill()
  await settled
  await env.startAgain()
}

/** Without further requests, the recording ends automatically, successfully or with a reason. */
async function leaveAlone({ roomId, panelist }: RecordedRoom): Promise<RecordingBody | undefined> {
  await panelist.leave()
  await env.tenant.close(roomId)
  return untilEnded(env.tenant, roomId)
}

const filesIn = (folder: string) => filesBelow(path.join(env.service.dataDir, folder))
const isAtWork = () => filesIn('work').length > 0

async function hasProcessed({ id }: RecordingBody): Promise<boolean> {
  const answer = await env.tenant.call('GET', `/recordings/${id}/processed-recording`)
  if (answer.status !== 200) return false
  const { data } = (await answer.json()) as { data: { status: string } }
  return data.status === 'available'
}

/** The end of the recording: `none`, `available` or `failed, <reason>`; printed for statistics. */
async function endingOf(room: RecordedRoom, moment: string): Promise<string> {
  const recording = await leaveAlone(room)
  const ending = recording === undefined ? 'none' : await describeEnd(room, recording)
  process.stdout.write(`killed ${moment}: ${ending}\n`)
  return ending
}

async function describeEnd({ roomId }: RecordedRoom, recording: RecordingBody): Promise<string> {
  const { status, size, duration_sec: durationSec } = recording
  if (status === 'available') return size && durationSec ? status : `${status}, and empty`
  const events = `/rooms/${roomId}/room-events?event_type=recording.failed`
  const answer = await env.tenant.call('GET', events)
  const { data } = (await answer.json()) as { data: { items: RoomEventBody[] } }
  return `${status}, ${String(data.items[0]?.payload?.['failure_reason'])}`
}

/** Files of lost segments and of voices are left out: they stay until their recordings are deleted. */
async function filesOfAvailable(): Promise<string[]> {
  const storage = path.join(env.service.dataDir, 'storage')
  const beside = (await listKeysBeside(env.service)).map((key) => path.join(storage, key))
  return filesBelow(storage).filter((file) => !beside.some((each) => file.startsWith(each)))
}

/**
 * Checks that there is one file for each available recording, one for each trim, and nothing else: no running egress, no egress
 * folder, no segment row without an end.
 */
async function expectNothingLeft(): Promise<void> {
  let wanted = 0
  for (const roomId of roomIds) {
    const [recording] = await recordingsOf(env.tenant, roomId)
    if (recording?.status !== 'available') continue
    wanted += (await hasProcessed(recording)) ? 2 : 1
  }
  await waitFor(async () => (await filesOfAvailable()).length === wanted, {
    what: `${wanted} files are stored`,
  })
  await waitFor(() => !isAtWork(), { what: 'no temporary file is left' })
  const isNothingLeft = async () => isDeepStrictEqual(await leftoversOf(env.service), NOTHING_LEFT)
  await waitFor(isNothingLeft, { what: 'nothing is left' }).catch(() => {})
  expect(await leftoversOf(env.service)).toEqual(NOTHING_LEFT)
}

const STARTING: readonly Moment[] = [
  {
    when: 'when the provider has begun',
    isReached: () => egressFolders(env.service.dataDir).length > 0,
  },
  { when: 'while a start is asked for' },
]
const STOPPING: readonly Moment[] = [
  { when: 'while its file is made', isReached: isAtWork },
  { when: 'while a stop is asked for' },
]

// Everyday runs kill at two of the steps. The others use the same recovery.
describe.each(RUNS)('kill -9 of the service, run %i', (run) => {
  test.runIf(IS_FULL_RUN)(
    'while a recording starts: it ends, available or failed with a reason, or there is none',
    async () => {
      const moment = momentOf(STARTING, run)
      const room = await openRoom()
      await killDuring(room.moderator.post('/recording/start'), moment)
      expect(await endingOf(room, moment.when)).toMatch(NONE_OR_ENDED)
      await expectNothingLeft()
    },
  )

  test.runIf(IS_FULL_RUN)(
    'when its start has been answered: it ends, available or failed with a reason',
    async () => {
      const room = await openRoom()
      await room.moderator.post('/recording/start')
      await killAndStart()
      expect(await endingOf(room, 'when its start was answered')).toMatch(ENDED)
      await expectNothingLeft()
    },
  )

  test('while it records: the captured part becomes available', async () => {
    const room = await openRoom()
    await record(room)
    await killAndStart()
    expect(await endingOf(room, 'while it records')).toBe('available')
    await expectNothingLeft()
  })

  test.runIf(IS_FULL_RUN)('while it stops: it becomes available', async () => {
    const moment = momentOf(STOPPING, run)
    const room = await openRoom()
    await record(room)
    await killDuring(room.moderator.post('/recording/stop'), moment)
    expect(await endingOf(room, moment.when)).toBe('available')
    await expectNothingLeft()
  })

  test('while its segments are joined, then while it is trimmed: both become available', async () => {
    const room = await openRoom()
    await record(room)
    await room.moderator.post('/recording/pause')
    await room.moderator.post('/recording/resume')
    await untilRecorded(room.moderator, 3)
    await room.moderator.post('/recording/stop')
    await untilSeen(isAtWork, 'a file is being made')
    await killAndStart()
    expect(await endingOf(room, 'while its segments are joined')).toBe('available')

    const trim = { source: 'trim', trim_start_sec: 0, trim_end_sec: 1 }
    const [recording] = await recordingsOf(env.tenant, room.roomId)
    const { id } = recording as RecordingBody
    const ordered = await env.tenant.call('POST', `/recordings/${id}/processed-recording`, trim)
    expect(ordered.status).toBe(201)
    await untilSeen(isAtWork, 'a file is being made')
    await killAndStart()
    await waitFor(() => hasProcessed(recording as RecordingBody), {
      what: 'the trim is available',
      timeoutMs: LATER_MS,
    })
    await expectNothingLeft()
  })
})
