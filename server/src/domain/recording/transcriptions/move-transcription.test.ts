import { TRANSCRIPTION_STATUSES } from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../../platform/db/db.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { failChangesOf } from '../../../testing/failing-database.ts'
import {
  addRecordedRoom,
  endTranscription,
  jobRun,
  webhooksOf,
} from '../../../testing/recordings.ts'
import { runJobs } from '../../../testing/run-jobs.ts'
import { lockRecording } from '../recordings/lock-recording.ts'
import { endOverdueJob } from './end-overdue.job.ts'
import { moveTranscription, type TranscriptionMove } from './move-transcription.ts'
import { findTranscription } from './store.ts'
import { TRANSCRIPTION_ENTERED_FROM } from './transcription.ts'

const plane = useControlPlane()
const FINAL: readonly string[] = ['done', 'error', 'request_error']
const MOVES: readonly TranscriptionMove[] = [
  { to: 'processing' },
  { to: 'retrying' },
  { to: 'done', resultKey: 'somewhere' },
  { to: 'error', failureReason: 'vendor_unavailable' },
  { to: 'request_error', failureReason: 'engine_not_configured' },
]

async function start() {
  const { roomId, recordingId } = await addRecordedRoom(plane)
  const { data } = await plane.tenant.post(`/recordings/${recordingId}/transcriptions`)
  return { id: data.id as string, roomId, recordingId, createdAt: new Date(data.created_at) }
}

type StartedTranscription = Pick<Awaited<ReturnType<typeof start>>, 'id' | 'recordingId'>

function move({ id, recordingId }: StartedTranscription, to: TranscriptionMove) {
  const { tenantId } = plane.tenant
  return inTransaction(plane.database.db, async (tx) => {
    await lockRecording(tx, { tenantId, recordingId })
    const locked = await findTranscription(tx, { tenantId, transcriptionId: id })
    return locked && moveTranscription(tx, locked, { ...to, at: plane.now })
  })
}

const read = async (id: string) => (await plane.tenant.get(`/transcriptions/${id}`)).data

describe('the states of a transcription', () => {
  // contract: States of a Transcription › sending_request → processing ↔ retrying → done or error;
  //   sending_request → request_error
  test('lead over processing and retrying to done or error, or directly to request_error', () => {
    expect(TRANSCRIPTION_ENTERED_FROM).toEqual({
      sending_request: [],
      processing: ['sending_request', 'retrying'],
      retrying: ['processing'],
      done: ['processing', 'retrying'],
      error: ['processing', 'retrying'],
      request_error: ['sending_request'],
    })
  })

  const pairs = TRANSCRIPTION_STATUSES.flatMap((from) =>
    MOVES.map((to) => [from, to.to, to] as const),
  )
  // contract: States of a Transcription › There are no other ways; W6 on done, error, request_error
  test.each(pairs)(
    'from %s to %s as the table says, and W6 reports only the end',
    async (from, to, given) => {
      const started = await start()
      await endTranscription(plane, started.id, from)
      const entered: readonly string[] = TRANSCRIPTION_ENTERED_FROM[to]
      const isPossible = entered.includes(from)
      expect(await move(started, given)).toBe(isPossible)
      expect((await read(started.id)).status).toBe(isPossible ? to : from)
      const published = (await webhooksOf(plane, `transcription:${started.id}`)).map(
        ({ data }) => data['status'],
      )
      expect(published).toEqual(isPossible && FINAL.includes(to) ? [to] : [])
    },
  )

  // contract: Webhook types › W6 transcription.completed: `transcription_id`, `recording_id`,
  //   `room_id`, `session_id`, `session_external_ref`, `status`, `language`, `failure_reason`
  test('W6 has every field of the contract', async () => {
    const started = await start()
    await move(started, { to: 'request_error', failureReason: 'engine_not_configured' })
    const { session } = (await plane.tenant.get(`/rooms/${started.roomId}`)).data
    const { external_type, external_id } = session
    expect(await webhooksOf(plane, `transcription:${started.id}`)).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        version: '1',
        type: 'transcription.completed',
        occurred_at: plane.now.toISOString(),
        data: {
          transcription_id: started.id,
          recording_id: started.recordingId,
          room_id: started.roomId,
          session_id: session.id,
          session_external_ref: { external_type, external_id },
          status: 'request_error',
          language: 'ja-JP',
          failure_reason: 'engine_not_configured',
        },
      },
    ])
  })

  // contract: States of a Transcription › It ends once
  test('two concurrent ends have one effect', async () => {
    const started = await start()
    await move(started, { to: 'processing' })
    const ends = await Promise.all([
      move(started, { to: 'done', resultKey: 'somewhere' }),
      move(started, { to: 'error', failureReason: 'timed_out' }),
      move(started, { to: 'done', resultKey: 'elsewhere' }),
    ])
    expect(ends.filter(Boolean)).toHaveLength(1)
    expect(await webhooksOf(plane, `transcription:${started.id}`)).toHaveLength(1)
  })
})

async function endOverdueAt(at: Date): Promise<void> {
  const before = plane.now
  plane.now = at
  await endOverdueJob(plane.deps).run(jobRun(plane))
  plane.now = before
}

describe('a transcription that runs for a day', () => {
  const DAY_MS = 24 * 60 * 60 * 1000

  // contract: States of a Transcription › After 24 hours: sending_request → request_error,
  //   processing or retrying → error, timed_out
  test.each([
    ['sending_request', 'request_error'],
    ['processing', 'error'],
    ['retrying', 'error'],
  ] as const)('in %s ends as %s, timed out', async (from, to) => {
    const { id, createdAt } = await start()
    await endTranscription(plane, id, from)
    await endOverdueAt(new Date(createdAt.getTime() + DAY_MS - 1))
    expect((await read(id)).status).toBe(from)
    await endOverdueAt(new Date(createdAt.getTime() + DAY_MS))
    expect((await read(id)).status).toBe(to)
    await endOverdueAt(new Date(createdAt.getTime() + 2 * DAY_MS))
    expect(await webhooksOf(plane, `transcription:${id}`)).toMatchObject([
      { data: { status: to, failure_reason: 'timed_out' } },
    ])
  })

  test('continues after a transcription that cannot be ended', async () => {
    const [failing, next] = [await start(), await start()]
    const rows = { table: 'transcriptions', column: 'id', id: failing.id }
    const repair = await failChangesOf(plane.database.db, rows)
    await endOverdueAt(new Date(next.createdAt.getTime() + DAY_MS))
    expect((await read(failing.id)).status).toBe('sending_request')
    expect((await read(next.id)).status).toBe('request_error')
    await repair()
    await runJobs(plane.database.db, endOverdueJob(plane.deps))
    expect((await read(failing.id)).status).toBe('request_error')
  })

  test.each(['done', 'error', 'request_error'] as const)(
    'and is %s is left alone',
    async (status) => {
      const { id, createdAt } = await start()
      await endTranscription(plane, id, status)
      await endOverdueAt(new Date(createdAt.getTime() + 2 * DAY_MS))
      expect((await read(id)).status).toBe(status)
      expect(await webhooksOf(plane, `transcription:${id}`)).toEqual([])
    },
  )
})
