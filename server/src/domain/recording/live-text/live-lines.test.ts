import { beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../platform/db/db.ts'
import { setLiveText } from '../../../platform/tenants/live-text.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { listenTo, speech } from '../../../testing/listened-rooms.ts'
import { useLiveRooms } from '../../../testing/live-room.ts'
import { addLiveTexts } from '../../../testing/live-texts.ts'
import { FILE, type PresentPerson, useRecordedRooms } from '../../../testing/recorded-rooms.ts'
import { addRecordedRoom } from '../../../testing/recordings.ts'
import { callAsViewer } from '../../../testing/viewer-calls.ts'
import { waitFor } from '../../../testing/wait-for.ts'
import { eraseLiveTexts } from './erase-live-texts-store.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

beforeEach(() => {
  plane.media.resetEgresses()
  // The database sets the time of entries.
  plane.now = new Date()
})

const read = async (id: string) => plane.tenant.get(`/recordings/${id}/live-transcript`)

/** A recording of ten seconds, a pause of a minute, and ten seconds more. */
async function record(): Promise<{
  roomId: string
  moderator: PresentPerson
  id: string
  startedAt: Date
}> {
  const roomId = await rooms.book('manual')
  const moderator = await rooms.come(roomId, 'moderator')
  const startedAt = plane.now
  await moderator.post('/recording/start')
  await activate(roomId)
  rooms.later(10_000)
  await moderator.post('/recording/pause')
  finish(roomId)
  rooms.later(60_000)
  await moderator.post('/recording/resume')
  await activate(roomId)
  rooms.later(10_000)
  await moderator.post('/recording/stop')
  finish(roomId)
  await rooms.settle()
  const { id } = await rooms.recordingOf(roomId)
  return { roomId, moderator, id, startedAt }
}

async function activate(roomId: string): Promise<void> {
  rooms.becomesActive(roomId)
  await rooms.settle()
}

function finish(roomId: string): void {
  const { egressId, startedAt } = rooms.lastEgressOf(roomId)
  const file = { sizeBytes: 13, durationSec: 10 }
  plane.media.moveEgress(egressId, { status: 'complete', file, startedAt, endedAt: plane.now })
}

describe('the live transcript of a recording', () => {
  // contract: getRecordingLiveTranscript › 200 with `recording_id`, `revision`, `language` and `lines`: `start_sec`,
  //   `end_sec`, `text`, `participant_id`, `speaker` and `role`, in order of their starts
  // contract: getRecordingLiveTranscript › Times are those of the file, without pauses; a text that is not completely
  //   recorded is left out, and so are translations
  test('has each text at its place in the file, and nothing that was said in a pause', async () => {
    const { roomId, moderator, id, startedAt: from } = await record()
    const identity = moderator.participantId
    const said = (text: string, startSec: number, endSec: number) => ({
      identity,
      text,
      from,
      startSec,
      endSec,
    })
    await addLiveTexts(plane, roomId, [
      said('before', -5, -2),
      said('into the recording', -1, 1),
      said('second', 4, 6.5),
      said('first', 1.25, 3),
      { ...said('premier', 1.25, 3), isTranslation: true },
      said('into the pause', 9, 12),
      said('in the pause', 30, 31),
      said('over the pause', 8, 75),
      said('after the pause', 72, 75),
      said('after the end', 81, 82),
    ])
    const { status, data } = await read(id)
    expect(status).toBe(200)
    const line = {
      participant_id: identity,
      speaker: expect.stringMatching(/./),
      role: 'moderator',
    }
    expect(data).toEqual({
      recording_id: id,
      revision: 'live',
      language: 'ja-JP',
      lines: [
        { ...line, text: 'first', start_sec: 1.25, end_sec: 3 },
        { ...line, text: 'second', start_sec: 4, end_sec: 6.5 },
        { ...line, text: 'after the pause', start_sec: 12, end_sec: 15 },
      ],
    })
  })

  // contract: listLiveTexts › Without what an erased person said
  test('has nothing of a person who declined, and of an erased person nothing more', async () => {
    const { tenantId } = plane.tenant
    await setLiveText(plane.database.db, { tenantId, audience: 'staff' })
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const panelist = await rooms.come(roomId, 'panelist')
    const declined = { event_type: 'consent.declined', payload: { purpose: 'transcription' } }
    expect((await panelist.post('/events', declined)).status).toBe(201)
    await moderator.post('/recording/start')
    await activate(roomId)
    rooms.later(1000)
    const { say, stream, engine } = await listenTo(plane, roomId)
    say(panelist, speech(2))
    say(moderator, speech(1))
    expect(engine.streams).toHaveLength(1)
    rooms.later(60_000)
    const { id } = await rooms.recordingOf(roomId)
    stream()?.say('good morning', { isFinal: true, endSec: 1 })
    await waitFor(async () => (await read(id)).data.lines.length > 0)
    expect((await read(id)).data.lines).toMatchObject([
      { text: 'good morning', participant_id: moderator.participantId },
    ])
    const room = `/rooms/${roomId}/live-transcript`
    const { cursor, items } = (await plane.tenant.get(room)).data
    expect(items).toMatchObject([{ text: 'good morning' }])
    const identities = [moderator.participantId]
    await inTransaction(plane.database.db, (tx) => eraseLiveTexts(tx, { roomId, identities }))
    expect((await read(id)).data).toMatchObject({ language: null, lines: [] })
    expect((await plane.tenant.get(room)).data.items).toEqual([])
    expect((await plane.tenant.get(`${room}?after=${cursor}`)).data.items).toEqual([])
  })

  // contract: getRecordingLiveTranscript › A viewer token that may `watch` works in place of the API key, and one
  //   of another recording is 404 NOT_FOUND
  // contract: getRecordingLiveTranscript › The access log notes it, with the `purpose` `live_transcript`
  test('is read by viewers who may watch, and noted in the access log', async () => {
    const { roomId, moderator, id, startedAt: from } = await record()
    const other = await addRecordedRoom(plane)
    const { participantId: identity } = moderator
    const readAs = async (recording_id: string, may: readonly string[]) =>
      callAsViewer(plane.app, ['GET', `/recordings/${id}/live-transcript`], {
        token: await live.acting.signViewerToken({ recording_id, may }),
      })
    expect((await readAs(id, ['watch'])).data.lines).toEqual([])
    await addLiveTexts(plane, roomId, [{ identity, text: 'hello', from, startSec: 1 }])
    expect((await readAs(id, ['watch'])).data.lines).toMatchObject([{ text: 'hello' }])
    expect(await readAs(other.recordingId, ['watch'])).toMatchObject({ code: 'NOT_FOUND' })
    expect((await readAs(id, ['download'])).status).toBe(401)
    const log = await plane.tenant.get(`/access-log?recording_id=${id}`)
    expect(log.data.items).toMatchObject([
      { purpose: 'live_transcript', viewer: { reference: 'researcher-1' }, api_key_id: null },
    ])
  })

  // contract: getRecordingLiveTranscript › 404 NOT_FOUND for a recording of another tenant
  // contract: getRecordingLiveTranscript › No lines once the recording has expired
  test('of another tenant is 404 NOT_FOUND, and that of an expired recording is empty', async () => {
    const roomId = await rooms.book('manual')
    const moderator = await rooms.come(roomId, 'moderator')
    const { participantId: identity } = moderator
    const from = plane.now
    await moderator.post('/recording/start')
    await activate(roomId)
    rooms.later(FILE.durationSec * 1000)
    await moderator.post('/recording/stop')
    rooms.completes(rooms.lastEgressOf(roomId))
    await rooms.settle()
    const { id, status } = await rooms.recordingOf(roomId)
    expect(status).toBe('available')
    await addLiveTexts(plane, roomId, [{ identity, text: 'hello', from, startSec: 1 }])
    const path = `/recordings/${id}/live-transcript`
    expect(await plane.other.get(path)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect((await read(id)).data.lines).toMatchObject([{ text: 'hello', start_sec: 1, end_sec: 2 }])
    await plane.database.db`
      update recordings set status = 'expired', storage_key = null where id = ${id}
    `
    expect((await read(id)).data.lines).toEqual([])
  })
})
