import { randomUUID } from 'node:crypto'
import { finishRecordingJob } from '../domain/recording/recordings/finish-recording.job.ts'
import { startAutomatically } from '../domain/recording/transcriptions/start-transcription.ts'
import { closeMediaRoomJob } from '../domain/room-end/close-media-room.job.ts'
import { type Db, identifier } from '../platform/db/db.ts'
import { COMPLETED, useConnectionTests } from './connection-tests.ts'
import type { ControlPlane } from './control-plane.ts'
import { said, upload } from './live-chat.ts'
import type { Guest, LiveRooms } from './live-room.ts'
import { reconcilePass } from './reconcile-pass.ts'
import type { RecordedRooms } from './recorded-rooms.ts'
import { endTranscription, putObject, setProcessedStatus } from './recordings.ts'
import { runJobs } from './run-jobs.ts'
import type { Answer } from './tenant-client.ts'

/** Two people of one interview. Whatever they write has their `word` in it. */
export interface TestPerson {
  externalId: string
  name: string
  word: string
}

export const ERASED: TestPerson = {
  externalId: 'cust-77819-erased',
  name: 'Hanako Erasemori',
  word: 'mizuiro',
}
export const STAYING: TestPerson = {
  externalId: 'cust-20004-staying',
  name: 'Taro Staykawa',
  word: 'momoiro',
}

export interface ErasureStage {
  plane: ControlPlane
  live: LiveRooms
  rooms: RecordedRooms
}

export interface WholeRoom {
  roomId: string
  /** The same person observes this one. */
  observedRoomId: string
  recordingId: string
  /** Every id that stands for the erased person. */
  ids: string[]
  connectionTestId: string
}

const must = (answer: Answer): Answer => {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`)
  return answer
}

interface Arrival {
  roomId: string
  role: 'moderator' | 'panelist' | 'observer'
  person: TestPerson
}

/** In the media room, and publishing. */
async function come(
  { plane, live, rooms }: ErasureStage,
  { roomId, role, person: { externalId, name } }: Arrival,
): Promise<Guest> {
  const participant = { external_type: 'User', external_id: externalId }
  const guest = await live.enter(roomId, role, { name, participant })
  if (role === 'panelist') {
    must(await guest.post('/events', { event_type: 'consent.given' }))
  }
  plane.media.connect(roomId, guest.participantId, plane.now)
  if (role === 'observer') plane.media.hidden.add(guest.participantId)
  else plane.media.publish(roomId, guest.participantId)
  await rooms.run(reconcilePass(plane.deps))
  return guest
}

/** A whole interview with everything that people leave behind, until its room is closed. */
export async function holdInterview(stage: ErasureStage): Promise<WholeRoom> {
  const { plane, rooms } = stage
  const roomId = await rooms.book('manual')
  const taro = await come(stage, { roomId, role: 'moderator', person: STAYING })
  const hanako = await come(stage, { roomId, role: 'panelist', person: ERASED })
  must(await taro.post('/recording/start', {}))
  await rooms.settle()
  rooms.becomesActive(roomId)
  await rooms.settle()
  await talk(stage, taro, STAYING)
  await talk(stage, hanako, ERASED)
  must(await taro.post('/events', { event_type: 'marker', payload: { note: STAYING.word } }))
  must(await hanako.post('/events', { event_type: 'hand.raised' }))
  await taro.post(`/participants/${hanako.participantId}/mute`, { kind: 'audio' })
  await taro.post(`/participants/${hanako.participantId}/spotlight`)
  must(await hanako.post('/rating', { score: 4, comment: `It was ${ERASED.word}.` }))
  await notify(plane, roomId, hanako.participantId)
  await noteWithoutPayload(plane, roomId)
  const observed = await observe(stage)
  must(
    await plane.tenant.post(
      `/rooms/${roomId}/participants/${hanako.participantId}/ban`,
      { reason: `too ${ERASED.word}` },
      { 'idempotency-key': randomUUID() },
    ),
  )
  const recordingId = await finishRecording(stage, roomId)
  const connectionTestId = await takeTest(plane)
  return {
    roomId,
    observedRoomId: observed.roomId,
    recordingId,
    connectionTestId,
    ids: [hanako.participantId, observed.participantId, connectionTestId],
  }
}

async function talk({ plane }: ErasureStage, guest: Guest, { name, word }: TestPerson) {
  must(await guest.post('/messages', said({ text: `I like ${word}` })))
  const body = Buffer.from(`%PDF-1.7\n${name} writes ${word}`)
  const file = { name: `${word}.pdf`, body }
  const { attachmentId } = await upload(guest, plane.storage, file)
  const message = said({ content_type: 'file', attachment_id: attachmentId })
  must(await guest.post('/messages', message))
  // Asked for, and never sent.
  await upload(guest, plane.storage, { ...file, name: `draft-${word}.pdf` })
}

async function close(plane: ControlPlane, roomId: string): Promise<void> {
  // Entries are timed by the database, whose clock has moved on; nobody leaves before.
  plane.now = new Date(Math.max(plane.now.getTime(), Date.now()))
  must(await plane.tenant.post(`/rooms/${roomId}/close`, {}))
  await runJobs(plane.database.db, closeMediaRoomJob(plane.deps))
}

/** In another room, as an observer, with a question that the moderator answers. */
async function observe(stage: ErasureStage): Promise<{ roomId: string; participantId: string }> {
  const { plane, rooms } = stage
  const roomId = await rooms.book('manual')
  const taro = await come(stage, { roomId, role: 'moderator', person: STAYING })
  const hanako = await come(stage, { roomId, role: 'observer', person: ERASED })
  const question = { id: randomUUID(), text: `Why ${ERASED.word}?` }
  must(await hanako.post('/questions', question))
  must(await taro.post(`/questions/${question.id}/status`, { status: 'asked' }))
  const marker = { event_type: 'marker', payload: { note: ERASED.word } }
  must(await hanako.post('/events', marker))
  const secret = said({ visibility: 'private', text: `Ask about ${ERASED.word}` })
  must(await hanako.post('/messages', secret))
  await close(plane, roomId)
  return { roomId, participantId: hanako.participantId }
}

/** As at the end of a window: JSON that is no object. */
async function noteWithoutPayload({ database, tenant }: ControlPlane, roomId: string) {
  await database.db`
    with clock as (update room_clocks set seq = seq + 1 where room_id = ${roomId} returning seq)
    insert into room_events (tenant_id, room_id, seq, event_type, payload, created_at)
    select ${tenant.tenantId}, ${roomId}, seq, 'session.window_ended', 'null'::jsonb, now() from clock
  `
}

/** What the provider reports has names and identities in it. */
async function notify({ database }: ControlPlane, roomId: string, identity: string) {
  const body = JSON.stringify({ participant: { identity, name: ERASED.name } })
  await database.db`
    insert into provider_notifications (id, event, media_room, body, applied_at)
    values (${randomUUID()}, 'participant_left', ${roomId}, ${body}, now())
  `
}

async function finishRecording(stage: ErasureStage, roomId: string): Promise<string> {
  const { plane, rooms } = stage
  await close(plane, roomId)
  await rooms.settle()
  rooms.completes(rooms.lastEgressOf(roomId))
  await rooms.settle()
  await runJobs(
    plane.database.db,
    finishRecordingJob({ ...plane.deps, onAvailable: startAutomatically }),
  )
  await rooms.settle()
  const { id } = await rooms.recordingOf(roomId)
  await plane.tenant.post(`/recordings/${id}/download-url`)
  const trim = { source: 'trim', trim_start_sec: 1, trim_end_sec: 2 }
  const { data } = must(await plane.tenant.post(`/recordings/${id}/processed-recording`, trim))
  await setProcessedStatus(plane, data.id, 'available')
  await nameObject(plane.database.db, plane, data.id)
  // It started automatically.
  const { items } = must(await plane.tenant.get(`/recordings/${id}/transcriptions`)).data
  await endTranscription(plane, items[0].id, 'done')
  const key = `${plane.tenant.tenantId}/transcripts/${items[0].id}`
  putObject(plane, key, `WEBVTT\n\n<v ${ERASED.name}>${ERASED.word}`)
  return id
}

async function nameObject(db: Db, plane: ControlPlane, processedId: string) {
  const key = `${plane.tenant.tenantId}/processed/${processedId}.mp4`
  putObject(plane, key, `${ERASED.name} on video`)
  await db`update processed_recordings set storage_key = ${key} where id = ${processedId}`
}

async function takeTest(plane: ControlPlane): Promise<string> {
  const { start: _start, report } = useConnectionTests(plane)
  const body = { external_type: 'User', external_id: ERASED.externalId, name: ERASED.name }
  const headers = { 'idempotency-key': randomUUID() }
  const { data } = must(await plane.tenant.post('/connection-tests', body, headers))
  must(await report(data, 'connected'))
  plane.now = new Date(plane.now.getTime() + 30_000)
  must(await report(data, 'result', COMPLETED))
  return data.id
}

/** Which of these texts stand in which table. Every column of every table is read, bytes included. */
export async function findInDatabase(db: Db, texts: readonly string[]): Promise<string[]> {
  const tables = await db<{ name: string }[]>`
    select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'
  `
  const found: string[] = []
  for (const { name } of tables) {
    // Bytes stand in the text of a row in hexadecimal digits.
    const rows = await db<{ text: string }[]>`
      select needle as text from unnest(${[...texts]}::text[]) needle
       where exists (select 1 from ${identifier(name)} hay
                      where position(needle in hay::text) > 0
                         or position(encode(convert_to(needle, 'UTF8'), 'hex') in hay::text) > 0)
    `
    found.push(...rows.map(({ text }) => `${name}: ${text}`))
  }
  return found
}

/** The same in the keys and the contents of objects. */
export function findInStorage({ storage }: ControlPlane, texts: readonly string[]): string[] {
  return [...storage.objects].flatMap(([key, { body }]) =>
    texts
      .filter((text) => key.includes(text) || body.includes(text))
      .map((text) => `${key}: ${text}`),
  )
}
