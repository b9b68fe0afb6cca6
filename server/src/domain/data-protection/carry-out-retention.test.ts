import { describe, expect, test } from 'vitest'
import { identifier } from '../../platform/db/db.ts'
import { createTestChat } from '../../testing/chat-messages.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addHandout } from '../../testing/handouts.ts'
import {
  addRecording,
  deleteObjects,
  endTranscription,
  putObject,
  setClipMade,
  setProcessedStatus,
  webhooksOf,
} from '../../testing/recordings.ts'
import { createRetainedRooms, type EndedRoom } from '../../testing/retained-rooms.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { releaseHandoutFileJob } from '../handouts/release-handout-file.job.ts'

const plane = useControlPlane()
const chat = createTestChat(plane)
const rooms = createRetainedRooms(plane)

/** Gives notice of the room's records, and deletes them when they are due. */
async function retain({ endsAt }: EndedRoom, rules: object): Promise<void> {
  await rooms.rule(rules)
  rooms.moveTo(endsAt, 3)
  await rooms.giveNotices()
  rooms.moveTo(endsAt, 10)
  await rooms.carryOut()
  await deleteObjects(plane)
}

/** Makes a processed recording, a clip and a transcript from a recording, each with its file. */
async function process(recordingId: string) {
  const path = `/recordings/${recordingId}`
  const trim = { source: 'trim', trim_start_sec: 1, trim_end_sec: 2 }
  const processed = await plane.tenant.post(`${path}/processed-recording`, trim)
  await setProcessedStatus(plane, processed.data.id, 'available')
  putObject(plane, `made/${processed.data.id}`, 'the clip')
  const clipId = await clip(recordingId)
  const { data } = await plane.tenant.post(`${path}/transcriptions`)
  await endTranscription(plane, data.id, 'done')
  return { transcriptionId: data.id as string, clipId }
}

async function clip(recordingId: string): Promise<string> {
  const range = { start_sec: 1, end_sec: 2 }
  const { data } = await plane.tenant.post(`/recordings/${recordingId}/clips`, range)
  await setClipMade(plane, data.id)
  return data.id
}

async function comment(recordingId: string): Promise<void> {
  await plane.database.db`
    insert into recording_comments (id, tenant_id, recording_id, seq, viewer_reference, viewer_name,
                                    text, created_at)
    values (gen_random_uuid(), ${plane.tenant.tenantId}, ${recordingId}, 1, 'a', 'a', 'a', now())
  `
}

const keys = () => [...plane.storage.objects.keys()]
const read = (path: string) => plane.tenant.get(path)

async function recordedRoom(status: 'available' | 'failed' | 'stopped' | 'expired' = 'available') {
  let recordingId = ''
  const room = await rooms.end(async ({ roomId }) => {
    recordingId = await addRecording(plane, roomId, { status })
  })
  return { ...room, recordingId, path: `/recordings/${recordingId}` }
}

describe('recordings under a retention rule', () => {
  // contract: patchRetention › Recordings become `expired`: their files go, with processed recordings and
  //   transcriptions
  test('expire with everything made from them, and the row stays', async () => {
    plane.storage.objects.clear()
    const room = await recordedRoom()
    const { transcriptionId, clipId } = await process(room.recordingId)
    expect(keys()).toHaveLength(4)
    const before = (await read(room.path)).data
    await retain(room, { recordings_days: 3 })
    expect((await read(room.path)).data).toMatchObject({
      status: 'expired',
      size: before.size,
      duration_sec: before.duration_sec,
    })
    expect(keys()).toEqual([])
    expect((await read(`${room.path}/download-url`)).code).toBe('RECORDING_NOT_AVAILABLE')
    expect((await read(`${room.path}/processed-recording`)).code).toBe('NOT_FOUND')
    expect((await read(`/clips/${clipId}`)).code).toBe('NOT_FOUND')
    expect((await read(`/transcriptions/${transcriptionId}`)).code).toBe('NOT_FOUND')
    expect(await webhooksOf(plane, `recording:${room.recordingId}`)).toMatchObject([
      { data: { status: 'expired', previous_status: 'available' } },
    ])
  })

  test('lose the files made from them even if their own file was already deleted', async () => {
    const room = await recordedRoom()
    const { transcriptionId } = await process(room.recordingId)
    await plane.database.db`
      update recordings set status = 'expired', version = version + 1 where id = ${room.recordingId}
    `
    await retain(room, { recordings_days: 3 })
    expect((await read(`/transcriptions/${transcriptionId}`)).code).toBe('NOT_FOUND')
    expect(keys()).not.toContain(`${plane.tenant.tenantId}/transcripts/${transcriptionId}`)
  })

  test.each([
    ['a clip', 'clips', clip],
    ['a comment', 'recording_comments', comment],
  ] as const)('lose %s too when nothing else is left', async (_what, table, add) => {
    const room = await recordedRoom()
    await add(room.recordingId)
    await plane.database.db`
      update recordings set status = 'expired', version = version + 1 where id = ${room.recordingId}
    `
    await retain(room, { recordings_days: 3 })
    const left = await plane.database.db`
      select 1 from ${identifier(table)} where recording_id = ${room.recordingId}
    `
    expect(left).toEqual([])
  })

  test('that failed lose the segments that were kept', async () => {
    const room = await recordedRoom('failed')
    await plane.database.db`
      insert into recording_segments (id, room_id, recording_id, position, status, status_at,
                                      storage_key, size_bytes, duration_sec, created_at)
      values (gen_random_uuid(), ${room.roomId}, ${room.recordingId}, 0, 'complete', now(), 'kept', 1,
              1, now())
    `
    await retain(room, { recordings_days: 3 })
    const left = await plane.database.db`
      select 1 from recording_segments where recording_id = ${room.recordingId}
    `
    expect(left).toEqual([])
    // The remaining row causes no further notice.
    await rooms.giveNotices()
    expect(await rooms.noticesOf(room.roomId)).toHaveLength(1)
  })

  test('of a connection test are counted from the end of the test', async () => {
    await rooms.rule({ recordings_days: 3 })
    const body = { expires_in_seconds: 3600 }
    const { data } = await plane.tenant.post('/connection-tests', body)
    const [row] = await plane.database.db<{ roomId: string }[]>`
      select room_id as "roomId" from connection_tests where id = ${data.id}
    `
    const roomId = row!.roomId
    const recordingId = await addRecording(plane, roomId)
    const endsAt = new Date(data.expires_at)
    rooms.moveTo(endsAt, 0, -1)
    await rooms.giveNotices()
    expect(await rooms.noticesOf(roomId)).toEqual([])
    await retain({ roomId, sessionId: '', endsAt }, { recordings_days: 3 })
    expect((await read(`/recordings/${recordingId}`)).data.status).toBe('expired')
  })

  test('whose file is still being made stay as they are, without a notice', async () => {
    const room = await recordedRoom('stopped')
    await retain(room, { recordings_days: 3 })
    expect((await read(room.path)).data.status).toBe('stopped')
    expect(await rooms.noticesOf(room.roomId)).toEqual([])
  })
})

// contract: patchRetention › The chat of a room goes as by a purge, with its files; `chat.purged` has the requester
//   `retention`
test('the chat under a retention rule is deleted as by a purge, with its files', async () => {
  let file = ''
  const room = await rooms.end(async ({ roomId }) => {
    await chat.addMessage(roomId, { visibility: 'private' })
    file = (await chat.addFile(roomId, 'application/pdf')).key
  })
  await retain(room, { chat_days: 3 })
  expect(await chat.listIds(room.roomId)).toEqual([])
  expect(keys()).not.toContain(file)
  const { data } = await read(`/rooms/${room.roomId}/room-events`)
  expect(data.items).toMatchObject([
    { event_type: 'chat.purged', payload: { count: 2, requester: 'retention' } },
  ])
  const tombstones = await plane.database.db`
    select 1 from chat_tombstones where room_id = ${room.roomId}
  `
  expect(tombstones).toHaveLength(2)
})

async function roomWithHandouts() {
  const ids: string[] = []
  const room = await rooms.end(async ({ sessionId }) => {
    for (const sort of [1, 2]) ids.push((await addHandout(plane, sessionId, { sort })).id)
  })
  const rows = await plane.database.db<{ key: string }[]>`
    select storage_key as key from handouts where room_id = ${room.roomId} order by sort
  `
  return { room, ids, files: rows.map(({ key }) => key) }
}

describe('handouts under a retention rule', () => {
  // contract: patchRetention › The handouts of a room go with their files, as by a DELETE
  test('are deleted with their files, and a repeated DELETE is no error', async () => {
    const { room, ids, files } = await roomWithHandouts()
    expect(keys()).toEqual(expect.arrayContaining(files))
    await retain(room, { handouts_days: 3 })
    expect((await read(`/sessions/${room.sessionId}/handouts`)).data.items).toEqual([])
    expect(keys().filter((key) => files.includes(key))).toEqual([])
    expect((await plane.tenant.delete(`/handouts/${ids[0]}`)).status).toBe(204)
  })

  test('keep a file that a recording has to show until the recording is made', async () => {
    const { room, ids, files } = await roomWithHandouts()
    const recordingId = await addRecording(plane, room.roomId, { status: 'stopped' })
    await plane.database.db`
      insert into handout_presentations (room_id, seq, handout_id, content_type, storage_key)
      values (${room.roomId}, 100, ${ids[0]!}, 'image', ${files[0]!})
    `
    await retain(room, { handouts_days: 3 })
    expect((await read(`/sessions/${room.sessionId}/handouts`)).data.items).toEqual([])
    expect(keys().filter((key) => files.includes(key))).toEqual([files[0]])
    await plane.database.db`
      update recordings set status = 'failed', failure_reason = 'internal' where id = ${recordingId}
    `
    await runJobs(plane.database.db, releaseHandoutFileJob(plane.deps))
    await deleteObjects(plane)
    expect(keys().filter((key) => files.includes(key))).toEqual([])
  })
})
