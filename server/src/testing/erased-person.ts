import { randomUUID } from 'node:crypto'
import { finishRecordingJob } from '../domain/recording/recording-files/finish-recording.job.ts'
import { startAutomatically } from '../domain/recording/transcriptions/start-transcription.ts'
import { closeMediaRoomJob } from '../domain/room-end/close-media-room.job.ts'
import type { Db } from '../platform/db/db.ts'
import { COMPLETED, useConnectionTests } from './connection-tests.ts'
import type { ControlPlane } from './control-plane.ts'
import { said, upload } from './live-chat.ts'
import type { Guest, LiveRooms } from './live-room.ts'
import { addLiveTexts } from './live-texts.ts'
import { reconcilePass } from './reconcile-pass.ts'
import type { RecordedRooms } from './recorded-rooms.ts'
import { endTranscription, putObject, setClipMade, setProcessedStatus } from './recordings.ts'
import { runJobs } from './run-jobs.ts'
import type { Answer } from './tenant-client.ts'

/** Two people of one interview. Everything that they write contains their `word`. */
export interface TestPerson {
  externalId: string
  name: string
  word: string
  /** Unique to the person: the address and device of the entry, and the id of the participant token. */
  address: string
  browser: string
  tokenId: string
}

export const ERASED: TestPerson = {
  externalId: 'cust-77819-erased',
  name: 'Hanako Erasemori',
  word: 'mizuiro',
  address: '203.0.113.77',
  browser: 'Erasezilla 77819',
  tokenId: 'token-77819',
}
export const STAYING: TestPerson = {
  externalId: 'cust-20004-staying',
  name: 'Taro Staykawa',
  word: 'momoiro',
  address: '203.0.113.20',
  browser: 'Stayzilla 20004',
  tokenId: 'token-20004',
}

export interface ErasureStage {
  plane: ControlPlane
  live: LiveRooms
  rooms: RecordedRooms
}

export interface WholeRoom {
  roomId: string
  /** The same person as an observer of this room. */
  observedRoomId: string
  /** The same person as a moderator of this room. */
  moderatedRoomId: string
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

/** Lets the person join the media room and publish. */
async function come(
  { plane, live, rooms }: ErasureStage,
  { roomId, role, person: { externalId, name, address, browser, tokenId } }: Arrival,
): Promise<Guest> {
  const participant = { external_type: 'User', external_id: externalId }
  const claims = { name, participant, jti: tokenId }
  const device = { browser_name: browser, platform_name: `${browser} OS` }
  const guest = await live.enterFrom({ address, device }, { roomId, role, claims })
  if (role === 'panelist') {
    must(await guest.post('/events', { event_type: 'consent.given' }))
  }
  const { sid: mediaSid } = plane.media.connect(roomId, guest.participantId, plane.now)
  await publishTrack(plane, { roomId, mediaSid })
  if (role === 'observer') plane.media.hidden.add(guest.participantId)
  else plane.media.publish(roomId, guest.participantId)
  await rooms.run(reconcilePass(plane.deps))
  return guest
}

/** A connection as the provider reports it. Here, the name of its track contains the connection's id. */
async function publishTrack(
  { database }: ControlPlane,
  { roomId, mediaSid }: { roomId: string; mediaSid: string },
) {
  await database.db`
    insert into published_tracks (room_id, track_sid, media_sid, published_at)
    values (${roomId}, ${`TR_${mediaSid}`}, ${mediaSid}, now())
  `
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
  must(await hanako.post('/events', { event_type: 'help.requested' }))
  must(await hanako.post('/line', { quality: 'lost' }))
  must(await taro.post(`/participants/${hanako.participantId}/screen/allow`))
  await taro.post(`/participants/${hanako.participantId}/mute`, {})
  await taro.post(`/participants/${hanako.participantId}/spotlight`)
  must(await hanako.post('/rating', { score: 4, comment: `It was ${ERASED.word}.` }))
  await notify(plane, roomId, hanako.participantId)
  await noteWithoutPayload(plane, roomId)
  const observed = await observe(stage)
  const moderated = await moderate(stage)
  must(
    await plane.tenant.post(
      `/rooms/${roomId}/participants/${hanako.participantId}/ban`,
      { reason: `too ${ERASED.word}` },
      { 'idempotency-key': randomUUID() },
    ),
  )
  const recordingId = await finishRecording(stage, roomId)
  await addVoice(plane, recordingId, { id: hanako.participantId, word: ERASED.word })
  await addVoice(plane, recordingId, { id: taro.participantId, word: STAYING.word })
  const connectionTestId = await takeTest(plane)
  return {
    roomId,
    observedRoomId: observed.roomId,
    moderatedRoomId: moderated.roomId,
    recordingId,
    connectionTestId,
    ids: [
      hanako.participantId,
      observed.participantId,
      moderated.participantId,
      connectionTestId,
      ...(await connectionsOf(plane, ERASED)),
    ],
  }
}

/** The sound of one person alone, as a composition stores it. */
async function addVoice(
  plane: ControlPlane,
  recordingId: string,
  { id, word }: { id: string; word: string },
): Promise<void> {
  const key = `${plane.tenant.tenantId}/voices/${randomUUID()}.webm`
  putObject(plane, key, `says ${word}`)
  await plane.database.db`
    insert into recording_voices (recording_id, media_identity, storage_key)
    values (${recordingId}, ${id}, ${key})
  `
}

/** The ids of the person's media connections. */
async function connectionsOf({ database }: ControlPlane, { name }: TestPerson): Promise<string[]> {
  const entries = await database.db<{ mediaSid: string }[]>`
    select e.media_sid as "mediaSid"
      from entry_histories e
      join participants p on p.id = e.participant_id
     where p.display_name = ${name}
  `
  return entries.map(({ mediaSid }) => mediaSid)
}

async function talk({ plane }: ErasureStage, guest: Guest, { name, word }: TestPerson) {
  const { roomId, participantId: identity } = guest
  await addLiveTexts(plane, roomId, [{ identity, text: `I said ${word}` }])
  must(await guest.post('/messages', said({ text: `I like ${word}` })))
  const body = Buffer.from(`%PDF-1.7\n${name} writes ${word}`)
  const file = { name: `${word}.pdf`, body }
  const { attachmentId } = await upload(guest, plane.storage, file)
  const message = said({ content_type: 'file', attachment_id: attachmentId })
  must(await guest.post('/messages', message))
  // The upload was requested, but never sent.
  await upload(guest, plane.storage, { ...file, name: `draft-${word}.pdf` })
}

async function close(plane: ControlPlane, roomId: string): Promise<void> {
  // The database times entries, and its clock has moved on. Nobody may leave before entering.
  plane.now = new Date(Math.max(plane.now.getTime(), Date.now()))
  must(await plane.tenant.post(`/rooms/${roomId}/close`, {}))
  await runJobs(plane.database.db, closeMediaRoomJob(plane.deps))
}

/** Lets the person observe another room, with a question that the moderator answers. */
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

/** Lets the person act on others and on the recording in a third room. */
async function moderate(stage: ErasureStage): Promise<{ roomId: string; participantId: string }> {
  const { plane, rooms } = stage
  const roomId = await rooms.book('manual')
  const hanako = await come(stage, { roomId, role: 'moderator', person: ERASED })
  const taro = await come(stage, { roomId, role: 'panelist', person: STAYING })
  must(await hanako.post('/recording/start', {}))
  must(await hanako.post('/recording/pause', {}))
  must(await hanako.post('/recording/resume', {}))
  must(await hanako.post('/recording/stop', {}))
  const marker = { event_type: 'marker', payload: { note: ERASED.word, is_private: true } }
  must(await hanako.post('/events', marker))
  must(await hanako.post(`/participants/${taro.participantId}/mute`, {}))
  must(await hanako.post(`/participants/${taro.participantId}/spotlight`))
  must(await hanako.post(`/participants/${taro.participantId}/ban`, { reason: ERASED.word }))
  must(await hanako.post('/close', { reason: `Enough ${ERASED.word}` }))
  plane.now = new Date(Math.max(plane.now.getTime(), Date.now()))
  await runJobs(plane.database.db, closeMediaRoomJob(plane.deps))
  await rooms.settle()
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

/** Stores a notification of the provider, which holds names and identities. */
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
  const clip = { start_sec: 1, end_sec: 2, title: 'The label' }
  const clipped = must(await plane.tenant.post(`/recordings/${id}/clips`, clip)).data
  await setClipMade(plane, clipped.id, `${ERASED.name} in a clip`)
  // The transcription started automatically.
  const { items } = must(await plane.tenant.get(`/recordings/${id}/transcriptions`)).data
  await endTranscription(plane, items[0].id, 'done')
  const key = `${plane.tenant.tenantId}/transcripts/${items[0].id}`
  putObject(plane, key, `WEBVTT\n\n<v ${ERASED.name}>${ERASED.word}`)
  await plane.database.db`
    insert into transcript_lines (transcription_id, position, start_sec, end_sec, participant_id,
                                  speaker, role, text)
    select ${items[0].id}, row_number() over (order by seq) - 1, 0, 1, id, display_name, role, 'Yes.'
      from participants
     where room_id = ${roomId}
  `
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

/** Returns those of these texts that appear in the keys and the contents of objects. */
export function findInStorage({ storage }: ControlPlane, texts: readonly string[]): string[] {
  return [...storage.objects].flatMap(([key, { body }]) =>
    texts
      .filter((text) => key.includes(text) || body.includes(text))
      .map((text) => `${key}: ${text}`),
  )
}
