import { beforeAll, expect, test } from 'vitest'
import { forgetAnswers } from '../../api/idempotency/forget-answers.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import {
  ERASED,
  findInStorage,
  holdInterview,
  STAYING,
  type WholeRoom,
} from '../../testing/erased-person.ts'
import { findInDatabase } from '../../testing/find-in-database.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { useRecordedRooms } from '../../testing/recorded-rooms.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { eraseDataSubjectJob } from './erase-data-subject.job.ts'

const MINUTE_MS = 60_000
const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
let interview: WholeRoom

const completeness = async () =>
  (await plane.tenant.get(`/recordings/${interview.recordingId}/completeness`)).data
const traces = () => [...Object.values(ERASED), ...interview.ids]

beforeAll(async () => {
  interview = await holdInterview({ plane, live, rooms })
  // The recorder of the room that the erased person moderates never ends.
  await plane.database.db`update recordings set status = 'failed' where status = 'stopped'`
  plane.now = new Date(plane.now.getTime() + 10 * MINUTE_MS)
})

// contract: requestErasure › With `recordings: keep`, files and transcripts alone still name the person
test('a person whose recordings are kept is found only in the files of these recordings', async () => {
  const before = await completeness()
  expect(before.people).toContainEqual(expect.objectContaining({ display_name: ERASED.name }))
  const order = { external_type: 'User', external_id: ERASED.externalId, recordings: 'keep' }
  const { data } = await plane.tenant.post('/data-subjects/erasures', order)
  await runJobs(plane.database.db, eraseDataSubjectJob({ ...plane.deps, forgetAnswers }))
  const done = (await plane.tenant.get(`/data-subjects/erasures/${data.id}`)).data
  expect(done.state).toBe('done')

  expect(await findInDatabase(plane.database.db, traces())).toEqual([])
  const files = findInStorage(plane, traces())
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((place) => !/\/(processed|clips|transcripts)\//.test(place))).toEqual([])
  const voices = findInStorage(plane, [STAYING.word]).filter((place) => /\/voices\//.test(place))
  expect(voices).toHaveLength(1)
  // The completeness of each person's recording stays.
  const after = await completeness()
  const withoutThem = before.people.map((person: { display_name: string }) =>
    person.display_name === ERASED.name
      ? { ...person, display_name: '', participant_id: null }
      : person,
  )
  expect(after).toEqual({ ...before, people: withoutThem })
  expect(after.people).toContainEqual(expect.objectContaining({ display_name: STAYING.name }))

  // So do the lines of its transcript.
  const lines = await plane.database.db<{ speaker: string | null; role: string; text: string }[]>`
    select l.speaker, l.role, l.text
      from transcript_lines l
      join transcriptions t on t.id = l.transcription_id
     where t.recording_id = ${interview.recordingId}
     order by l.speaker nulls first
  `
  expect(lines).toEqual([
    { speaker: null, role: 'panelist', text: 'Yes.' },
    { speaker: STAYING.name, role: 'moderator', text: 'Yes.' },
  ])
})
