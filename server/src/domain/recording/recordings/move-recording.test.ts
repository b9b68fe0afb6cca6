import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { RECORDING_STATUSES, type RecordingStatus } from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../../platform/db/db.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { failChangesOf } from '../../../testing/failing-database.ts'
import { hasLockWait } from '../../../testing/lock-waits.ts'
import {
  addRecordedRoom,
  addRecording,
  deleteObjects,
  jobRun,
  webhooksOf,
} from '../../../testing/recordings.ts'
import { runJobs } from '../../../testing/run-jobs.ts'
import { waitFor } from '../../../testing/wait-for.ts'
import { expireRecordingsJob } from '../expire-recordings.job.ts'
import { lockRecording } from './lock-recording.ts'
import { moveRecording, type RecordingMove } from './move-recording.ts'
import { RECORDING_ENTERED_FROM } from './recording.ts'

const plane = useControlPlane()
const DAY_MS = 24 * 60 * 60 * 1000

const PAIRS = RECORDING_STATUSES.flatMap((from) =>
  RECORDING_STATUSES.map((to) => [from, to] as const),
)

function move(recordingId: string, to: RecordingStatus) {
  const key = { tenantId: plane.tenant.tenantId, recordingId }
  return inTransaction(plane.database.db, async (tx) =>
    moveRecording(tx, await lockRecording(tx, key), { ...moveTo(to), at: plane.now }),
  )
}

function moveTo(to: RecordingStatus): RecordingMove {
  if (to === 'failed') return { to, failureReason: 'provider_failed' }
  if (to === 'stopped') return { to, reason: 'moderator' }
  if (to !== 'uploaded') return { to }
  return { to, file: { storageKey: 'somewhere', sizeBytes: 4096, durationSec: 12.5 } }
}

const statusOf = async (recordingId: string): Promise<string> =>
  (await plane.tenant.get(`/recordings/${recordingId}`)).data.status

describe('the states of a recording', () => {
  // contract: States of a Recording › The ways between started, paused, stopped, uploaded,
  //   available, expired, failed
  test('lead from started and paused to each other, and over stopped, uploaded, available to expired', () => {
    expect(RECORDING_ENTERED_FROM).toEqual({
      started: ['paused'],
      paused: ['started'],
      stopped: ['started', 'paused'],
      uploaded: ['started', 'paused', 'stopped'],
      available: ['uploaded'],
      expired: ['available'],
      failed: ['started', 'paused', 'stopped', 'uploaded'],
    })
  })

  test('match the table in docs/lifecycles.md, and those of the database', async () => {
    const docs = await readFile(
      new URL('../../../../../docs/lifecycles.md', import.meta.url),
      'utf8',
    )
    const section = docs.split('\n## ').find((each) => each.startsWith('Recording\n')) ?? ''
    const rows = [...section.matchAll(/^\| (\w+) +\| ([\w, ]+?)(?:;[^|]*)? +\|$/gm)]
    const drawn = Object.fromEntries(
      rows.flatMap(([, to, from]) => (to !== undefined && isStatus(to) ? [[to, from]] : [])),
    )
    const table = Object.entries(RECORDING_ENTERED_FROM).map(([to, from]) => [to, from.join(', ')])
    expect(drawn).toEqual(Object.fromEntries(table))

    const [check] = await plane.database.db<{ definition: string }[]>`
      select pg_get_constraintdef(oid) as definition
        from pg_constraint
       where conname = 'recordings_status_is_known'
    `
    const known = [...(check?.definition ?? '').matchAll(/'(\w+)'/g)].map(([, word]) => word)
    expect(known).toEqual([...RECORDING_STATUSES])
  })

  // contract: States of a Recording › Each change is published once by W3 with `previous_status`; failed
  //   with `failure_reason`
  // contract: Webhook types › W3 recording.status_changed: `recording_id`, `room_id`, `session_id`,
  //   `session_external_ref`, `status`, `previous_status`, `failure_reason`
  test.each(PAIRS.filter(([from, to]) => isPossible(from, to)))(
    'a change from %s to %s is published once by W3',
    async (from, to) => {
      const { roomId, recordingId } = await addRecordedRoom(plane, { status: from })
      const moves = await Promise.all([move(recordingId, to), move(recordingId, to)])
      expect(moves.filter(Boolean)).toHaveLength(1)
      expect(await statusOf(recordingId)).toBe(to)
      const { session } = (await plane.tenant.get(`/rooms/${roomId}`)).data
      const { external_type, external_id } = session
      expect(await webhooksOf(plane, `recording:${recordingId}`)).toMatchObject([
        {
          type: 'recording.status_changed',
          occurred_at: plane.now.toISOString(),
          data: {
            recording_id: recordingId,
            room_id: roomId,
            session_id: session.id,
            session_external_ref: { external_type, external_id },
            status: to,
            previous_status: from,
            failure_reason: to === 'failed' ? 'provider_failed' : null,
          },
        },
      ])
    },
  )

  // contract: States of a Recording › There are no other ways
  test.each(PAIRS.filter(([from, to]) => !isPossible(from, to)))(
    'a change from %s to %s is refused, and nothing is published',
    async (from, to) => {
      const { recordingId } = await addRecordedRoom(plane, { status: from })
      expect(await move(recordingId, to)).toBe(false)
      expect(await statusOf(recordingId)).toBe(from)
      expect(await webhooksOf(plane, `recording:${recordingId}`)).toEqual([])
    },
  )

  // contract: Fields of a Recording › `size`, `duration_sec` are final from uploaded on
  test('an uploaded one has its final size and length, and is downloaded when available', async () => {
    const { recordingId } = await addRecordedRoom(plane, { status: 'started' })
    await move(recordingId, 'uploaded')
    const { data } = await plane.tenant.get(`/recordings/${recordingId}`)
    expect(data).toMatchObject({ status: 'uploaded', size: 4096, duration_sec: 12.5 })
    await move(recordingId, 'available')
    const download = await plane.tenant.get(`/recordings/${recordingId}/download-url`)
    expect(new URL(download.data.url).pathname).toBe('/somewhere')
    expect((await webhooksOf(plane, `recording:${recordingId}`)).map(statusesOf)).toEqual([
      ['started', 'uploaded'],
      ['uploaded', 'available'],
    ])
  })

  // contract: Fields of a RoomEvent › recording.failed: recording_id, failure_reason
  // contract: States of a Recording › started, paused, stopped, uploaded → failed: RoomEvent
  //   recording.failed
  test('a failure is also a RoomEvent recording.failed', async () => {
    const { roomId, recordingId } = await addRecordedRoom(plane, { status: 'started' })
    await move(recordingId, 'failed')
    const { items } = (await plane.tenant.get(`/rooms/${roomId}/room-events`)).data
    const payload = { recording_id: recordingId, failure_reason: 'provider_failed' }
    expect(items).toMatchObject([{ event_type: 'recording.failed', payload }])
  })

  test('a deleted recording sends no webhook', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    await plane.tenant.delete(`/recordings/${recordingId}`)
    await expect(move(recordingId, 'expired')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await webhooksOf(plane, `recording:${recordingId}`)).toEqual([])
  })

  // contract: States of a Recording › One running Recording per Room
  test('a room has at most one running recording', async () => {
    const { roomId } = await addRecordedRoom(plane, { status: 'started' })
    await expect(addRecording(plane, roomId, { status: 'paused' })).rejects.toMatchObject({
      constraint: 'recordings_one_running',
    })
  })
})

const statusesOf = ({ data }: { data: Record<string, unknown> }) => [
  data['previous_status'],
  data['status'],
]

const isStatus = (word: string) => RECORDING_STATUSES.some((each) => each === word)

function isPossible(from: RecordingStatus, to: RecordingStatus): boolean {
  const entered: readonly RecordingStatus[] = RECORDING_ENTERED_FROM[to]
  return entered.includes(from)
}

const expire = (days: number | undefined) =>
  expireRecordingsJob({
    ...plane.deps,
    config: { ...plane.deps.config, recordingRetentionDays: days },
  }).run(jobRun(plane))

describe('retention', () => {
  // contract: States of a Recording › available → expired after the configured days; the object
  //   goes, the row stays
  test('expires a recording after its days: deletes the object, keeps the row, sends W3', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const start = plane.now
    plane.now = new Date(start.getTime() + 30 * DAY_MS)
    await expire(30)
    expect(await statusOf(recordingId)).toBe('available')
    plane.now = new Date(start.getTime() + 30 * DAY_MS + 1)
    await expire(30)
    await deleteObjects(plane)
    plane.now = start
    const { data } = await plane.tenant.get(`/recordings/${recordingId}`)
    expect(data).toMatchObject({ status: 'expired', size: 13, duration_sec: 60.5 })
    expect(plane.storage.objects.has(`${plane.tenant.tenantId}/recordings/${recordingId}`)).toBe(
      false,
    )
    expect(await webhooksOf(plane, `recording:${recordingId}`)).toMatchObject([
      { data: { status: 'expired', previous_status: 'available' } },
    ])
  })

  test('continues after a recording that cannot expire, which is retried on its own', async () => {
    const { recordingId: failing } = await addRecordedRoom(plane)
    const { recordingId: next } = await addRecordedRoom(plane)
    const start = plane.now
    const rows = { table: 'recordings', column: 'id', id: failing }
    const repair = await failChangesOf(plane.database.db, rows)
    plane.now = new Date(start.getTime() + 31 * DAY_MS)
    await expire(30)
    expect([await statusOf(failing), await statusOf(next)]).toEqual(['available', 'expired'])
    await repair()
    const config = { ...plane.deps.config, recordingRetentionDays: 30 }
    await runJobs(plane.database.db, expireRecordingsJob({ ...plane.deps, config }))
    expect(await statusOf(failing)).toBe('expired')
    plane.now = start
  })

  test('keeps a recording that was placed under a legal hold before its retry', async () => {
    const { roomId, recordingId } = await addRecordedRoom(plane)
    const start = plane.now
    const rows = { table: 'recordings', column: 'id', id: recordingId }
    const repair = await failChangesOf(plane.database.db, rows)
    plane.now = new Date(start.getTime() + 31 * DAY_MS)
    await expire(30)
    await repair()
    await plane.tenant.post('/legal-holds', { room_id: roomId, reason: 'A case.' })
    const config = { ...plane.deps.config, recordingRetentionDays: 30 }
    await runJobs(plane.database.db, expireRecordingsJob({ ...plane.deps, config }))
    plane.now = start
    expect(await statusOf(recordingId)).toBe('available')
  })

  test('never expires a recording after a legal hold was answered', async () => {
    const { roomId, recordingId } = await addRecordedRoom(plane)
    const start = plane.now
    plane.now = new Date(start.getTime() + 31 * DAY_MS)
    const ended: string[] = []
    const settled: Promise<unknown>[] = []
    await inTransaction(plane.database.db, async (tx) => {
      // At this point the expiry has judged the recording, and waits for this row.
      await tx`
        insert into jobs (kind, key, payload) values ('follow-recording', ${roomId}, '{}')
      `
      const expiring = expire(30).then(() => ended.push('expired'))
      await waitFor(() => hasLockWait(plane.database.db))
      const hold = { room_id: roomId, reason: 'A case.' }
      const placing = plane.tenant.post('/legal-holds', hold).then(() => ended.push('held'))
      await Promise.race([placing, delay(500)])
      settled.push(expiring, placing)
    })
    await Promise.all(settled)
    plane.now = start
    expect([await statusOf(recordingId), ...ended]).toEqual(['expired', 'expired', 'held'])
  })

  // contract: States of a Recording › Never, by default
  test('is off by default', async () => {
    const { recordingId } = await addRecordedRoom(plane)
    const start = plane.now
    plane.now = new Date(start.getTime() + 10_000 * DAY_MS)
    await expire(plane.deps.config.recordingRetentionDays)
    plane.now = start
    expect(await statusOf(recordingId)).toBe('available')
  })
})
