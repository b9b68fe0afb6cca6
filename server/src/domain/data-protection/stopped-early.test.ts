import { beforeAll, expect, test } from 'vitest'
import { forgetAnswers } from '../../api/idempotency/forget-answers.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { useRecordedRooms } from '../../testing/recorded-rooms.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { eraseDataSubjectJob } from './erase-data-subject.job.ts'

const PERSON = { external_type: 'User', external_id: 'cust-stopped-early' }
const DAY_MS = 24 * 60 * 60 * 1000
const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

const erase = async (path: string) => {
  const { data } = await plane.tenant.post(`/data-subjects/${path}`, PERSON)
  return data
}

let roomId = ''

// The recorder never answers, and a moderator stops before it could: only the command is stored.
beforeAll(async () => {
  roomId = await rooms.book('always')
  await live.enter(roomId, 'panelist', { participant: PERSON })
  const moderator = await rooms.come(roomId, 'moderator')
  plane.media.faults.set(plane.media.recorders[0]!, 'silent')
  await rooms.settle().catch((error: unknown) => {
    if (!(error instanceof MediaError)) throw error
  })
  await moderator.post('/recording/stop')
  await moderator.leave()
  rooms.later(DAY_MS)
})

test('a recording that was stopped before it began exists only as a command', async () => {
  expect(await rooms.recordingsOf(roomId)).toEqual([])
  const kept = await plane.database.db`select status from recordings where room_id = ${roomId}`
  expect(kept).toEqual([{ status: 'failed' }])
})

// contract: exportDataSubject › 200, list envelope of rooms, by `external_type` and `external_id`: each has
//   `room_id`, `participants`, `entries`, `admissions`, `chat_messages`, `room_events`, `recording_ids` and
//   `connection_test` of this person
test('a recording that was stopped before it began is not in the export', async () => {
  const { items } = await erase('exports')
  expect(items).toHaveLength(1)
  expect(items[0].recording_ids).toEqual([])
})

// contract: requestErasure › 202 with `id`, `state`, `subject` and `requested_by`: everything of
//   the person goes in the background, from the database, the storage and the events
test('a person is erased from a room whose recording was stopped before it began', async () => {
  expect((await erase('erasure-previews')).removed).toMatchObject({
    participants: 1,
    recordings: 0,
  })
  const { id } = await erase('erasures')
  await runJobs(plane.database.db, eraseDataSubjectJob({ ...plane.deps, forgetAnswers }))
  const done = (await plane.tenant.get(`/data-subjects/erasures/${id}`)).data
  expect(done).toMatchObject({
    state: 'done',
    remains: [],
    removed: { participants: 1, recordings: 0 },
  })
})
