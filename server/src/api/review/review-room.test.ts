import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ActingTenant, createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import {
  addRecordedRoom,
  addRecording,
  endTranscription,
  putObject,
  setProcessedStatus,
} from '../../testing/recordings.ts'
import { callAsViewer } from '../../testing/viewer-calls.ts'

const plane = useControlPlane()
let acting: ActingTenant
let roomId: string
let recordingId: string

beforeAll(async () => {
  acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
  ;({ roomId, recordingId } = await addRecordedRoom(plane))
})

const tokenFor = async (may: readonly string[], claims: Record<string, unknown> = {}) =>
  acting.signViewerToken({ recording_id: recordingId, may, ...claims })
const watcher = async () => tokenFor(['watch'])
const read = async (path: string, token: string) =>
  callAsViewer(plane.app, ['GET', path], { token })
const playbackOf = (id: string, query = '') => `/recordings/${id}/playback${query}`

describe('what a viewer token opens', () => {
  // contract: getReview › 200 Review: `viewer` with `reference` and `name`, `may`, `expires_at`, `room_id`, `session` with `name`,
  //   `starts_at` and `ends_at`, `recordings` with `id`, `status`, `output_mode`, `started_at`, `duration_sec`,
  //   `estimated_available_at` and `processed` with `trim_start_sec` and `trim_end_sec`, `transcription_languages`
  // contract: getReview › `branding`: `name`, `logo_url`, `help_contact`, `palette` with `light` and `dark`, each `accent`,
  //   `accent_hover`, `accent_soft`, `accent_text`, `on_accent`
  test('is one recording, for a token of a recording', async () => {
    await addRecording(plane, roomId)
    const { status, data } = await read('/review', await tokenFor(['watch', 'comment']))
    expect(status).toBe(200)
    expect(data).toEqual({
      viewer: { reference: 'researcher-1', name: 'Sato' },
      may: ['watch', 'comment'],
      expires_at: expect.stringMatching(/Z$/),
      room_id: roomId,
      session: {
        name: null,
        starts_at: expect.stringMatching(/Z$/),
        ends_at: expect.stringMatching(/Z$/),
      },
      recordings: [
        {
          id: recordingId,
          status: 'available',
          output_mode: 'composed',
          started_at: plane.now.toISOString(),
          duration_sec: 60.5,
          estimated_available_at: null,
          processed: null,
        },
      ],
      clip: null,
      reel: null,
      watermark: null,
      transcription_languages: plane.deps.config.transcription.languages,
      branding: { name: null, logo_url: null, palette: null, help_contact: null },
    })
  })

  test('is every recording of the room, oldest first, for a token of a room', async () => {
    const { roomId: room, recordingId: first } = await addRecordedRoom(plane)
    const second = await addRecording(plane, room, { status: 'stopped' })
    const trim = { source: 'trim', trim_start_sec: 1, trim_end_sec: 20.5 }
    await plane.tenant.post(`/recordings/${first}/processed-recording`, trim)
    const token = await acting.signViewerToken({ room_id: room, may: ['watch'] })
    const { data } = await read('/review', token)
    expect(data.recordings).toMatchObject([
      {
        id: first,
        processed: { status: 'pending', trim_start_sec: 1, trim_end_sec: 20.5 },
      },
      { id: second, status: 'stopped', duration_sec: null, processed: null },
    ])
  })

  // contract: getReview › 404 NOT_FOUND when the recording or room is not there
  test.each([{ recording_id: randomUUID() }, { room_id: randomUUID() }])(
    'is not found for %j, which is not there',
    async (scope) => {
      const token = await acting.signViewerToken({ ...scope, may: ['watch'] })
      expect((await read('/review', token)).code).toBe('NOT_FOUND')
    },
  )

  test('is closed to a token that does not allow to watch', async () => {
    expect((await read('/review', await tokenFor(['comment', 'clip']))).status).toBe(401)
  })
})

describe('an address for a player', () => {
  // contract: getRecordingPlayback › 200 RecordingPlayback: `url`, `expires_at`, `mime`, `size`, `duration_sec`
  // contract: getRecordingPlayback › The access log has a row with the `purpose` `playback`
  test('plays the file in the page for five minutes, and the log names the viewer', async () => {
    const { status, data } = await read(playbackOf(recordingId), await watcher())
    expect(status).toBe(200)
    expect(data).toEqual({
      url: expect.any(String),
      expires_at: new Date(plane.now.getTime() + 300_000).toISOString(),
      mime: 'video/mp4',
      size: 13,
      duration_sec: 60.5,
    })
    const log = await plane.tenant.get(`/access-log?recording_id=${recordingId}&limit=1`)
    expect(log.data.items).toMatchObject([
      { purpose: 'playback', viewer: { reference: 'researcher-1' }, expires_at: data.expires_at },
    ])
  })

  // contract: getRecordingPlayback › `version`: `recorded`, or `processed`
  // contract: getRecordingPlayback › 409 PROCESSED_RECORDING_NOT_AVAILABLE until the processed file is there
  test('plays the processed file, if there is one', async () => {
    const { recordingId: id } = await addRecordedRoom(plane)
    const token = await acting.signViewerToken({ recording_id: id, may: ['watch'] })
    const processed = playbackOf(id, '?version=processed')
    expect((await read(processed, token)).code).toBe('NOT_FOUND')
    const trim = { source: 'trim', trim_start_sec: 1, trim_end_sec: 20.5 }
    const { data } = await plane.tenant.post(`/recordings/${id}/processed-recording`, trim)
    expect((await read(processed, token)).code).toBe('PROCESSED_RECORDING_NOT_AVAILABLE')
    await setProcessedStatus(plane, data.id, 'available')
    const answer = await read(processed, token)
    expect([answer.status, answer.data.size]).toEqual([200, 3])
    expect((await read(playbackOf(id, '?version=other'), token)).details).toEqual([
      ['version', 'INVALID_ENUM'],
    ])
  })

  // contract: getRecordingPlayback › 409 RECORDING_NOT_AVAILABLE without a file, and for an archive
  test.each([{ status: 'stopped' }, { status: 'expired' }, { outputMode: 'individual' }] as const)(
    'is refused for a recording with %j',
    async (recorded) => {
      const { recordingId: id } = await addRecordedRoom(plane, recorded)
      const token = await acting.signViewerToken({ recording_id: id, may: ['watch'] })
      expect((await read(playbackOf(id), token)).code).toBe('RECORDING_NOT_AVAILABLE')
      expect((await plane.tenant.get(playbackOf(id))).code).toBe('RECORDING_NOT_AVAILABLE')
    },
  )
})

describe('who speaks when', () => {
  // contract: getRecordingActivity › 200 RecordingActivity: `recording_id`, `people` with `participant_id`, `role`,
  //   `display_name`, `speech` with `start_sec` and `end_sec`, `levels`
  test('is given for each person, moderators first, and goes with the file', async () => {
    await addEntry('p-2', 'panelist', 'Hanako')
    await addEntry('m-1', 'moderator', 'Mori')
    await addEntry('p-2', 'panelist', 'Hanako again')
    await addActivities(recordingId, [
      { identity: 'p-2', speech: [{ fromMs: 2500, toMs: 9000 }], levels: [0, 88] },
      { identity: 'm-1', speech: [], levels: [0, 0] },
      { identity: 'stranger', speech: [], levels: [] },
    ])
    const { data } = await read(`/recordings/${recordingId}/activity`, await watcher())
    expect(data).toEqual({
      recording_id: recordingId,
      people: [
        {
          participant_id: null,
          role: 'moderator',
          display_name: 'Mori',
          speech: [],
          levels: [0, 0],
        },
        {
          participant_id: null,
          role: 'panelist',
          display_name: 'Hanako',
          speech: [{ start_sec: 2.5, end_sec: 9 }],
          levels: [0, 88],
        },
      ],
    })
  })

  test('is empty for a recording without a measurement', async () => {
    const id = await addRecording(plane, roomId)
    const { data } = await plane.tenant.get(`/recordings/${id}/activity`)
    expect(data.people).toEqual([])
  })
})

async function addActivities(id: string, people: object[]): Promise<void> {
  await plane.database.db`
    insert into recording_activities (recording_id, people)
    values (${id}, ${JSON.stringify(people)}::jsonb)
  `
}

let entries = 0

/** Inserts an entry of a person, at this moment of the room. */
async function addEntry(identity: string, role: string, name: string, ends = false): Promise<void> {
  entries += 1
  const at = plane.now
  await plane.database.db`
    with clock as (
      update room_clocks set seq = seq + 1 where room_id = ${roomId} returning seq
    )
    insert into entry_histories (tenant_id, room_id, seq, media_identity, media_sid, name, role,
                                 entered_at, left_at)
    select ${plane.tenant.tenantId}, ${roomId}, seq, ${identity}, ${`PA_${entries}`}, ${name}, ${role},
           ${at}::timestamptz,
           ${ends ? new Date(at.getTime() + 5000) : null}::timestamptz
      from clock
  `
}

const transcriptions = () => `/recordings/${recordingId}/transcriptions`

describe('transcripts', () => {
  // contract: listTranscriptions › A viewer who may `watch` reads them, by addresses of five minutes
  // contract: getTranscription › A viewer who may `watch` reads it
  test('are read by a viewer who may watch', async () => {
    const started = await plane.tenant.post(transcriptions(), {})
    await endTranscription(plane, started.data.id, 'done')
    const list = await read(transcriptions(), await watcher())
    expect(list.data.items).toMatchObject([{ id: started.data.id, status: 'done' }])
    const one = await read(`/transcriptions/${started.data.id}`, await watcher())
    expect(one.data.result_url).toEqual(expect.any(String))
    const log = await plane.tenant.get(`/access-log?recording_id=${recordingId}&limit=1`)
    const [{ issued_at, expires_at, viewer, purpose }] = log.data.items
    expect(Date.parse(expires_at) - Date.parse(issued_at)).toBe(300_000)
    expect([viewer.reference, purpose]).toEqual(['researcher-1', 'download'])
  })

  test('of another recording are not found', async () => {
    const { recordingId: foreign } = await addRecordedRoom(plane)
    const { data } = await plane.tenant.post(`/recordings/${foreign}/transcriptions`, {})
    const answer = await read(`/transcriptions/${data.id}`, await watcher())
    expect(answer.code).toBe('NOT_FOUND')
    const unknown = await read(`/transcriptions/${randomUUID()}`, await watcher())
    expect({ ...unknown, headers: undefined }).toEqual({ ...answer, headers: undefined })
  })

  // contract: startTranscription › A viewer who may `staff` starts one
  test('are started by a viewer who may staff, and by no other', async () => {
    const body = { language: 'en-US' }
    const others = await tokenFor(['watch', 'comment', 'clip', 'download'])
    const refused = await callAsViewer(plane.app, ['POST', transcriptions()], {
      token: others,
      body,
    })
    expect(refused.status).toBe(401)
    const token = await tokenFor(['watch', 'staff'])
    const started = await callAsViewer(plane.app, ['POST', transcriptions()], { token, body })
    expect([started.status, started.data.language]).toEqual([201, 'en-US'])
  })
})

const timeline = () => `/recordings/${recordingId}/timeline?limit=100`

async function addMessage(visibility: string, text: string): Promise<void> {
  await plane.database.db`
    with clock as (
      update room_clocks set seq = seq + 1 where room_id = ${roomId} returning seq
    )
    insert into chat_messages (room_id, id, tenant_id, seq, visibility, sender_name,
                               content_type, text, created_at)
    select ${roomId}, ${randomUUID()}, ${plane.tenant.tenantId}, seq, ${visibility}, 'Mori', 'text',
           ${text}, ${plane.now}::timestamptz + interval '10 s'
      from clock
  `
}

describe('the timeline', () => {
  // contract: getRecordingTimeline › Besides the room events: `participant.entered`, `participant.left`, `chat.message`
  test('has entries and chat, of which a viewer without `staff` reads the public chat', async () => {
    await plane.database.db`
      insert into recording_reports (recording_id, is_complete, missing_sec, people, segments, made_at)
      values (${recordingId}, true, 0, '[]',
              jsonb_build_array(jsonb_build_object(
                'fromMs', ${plane.now.getTime()}::bigint,
                'toMs', ${plane.now.getTime() + 60_500}::bigint)), now())
    `
    await addEntry('o-1', 'observer', 'Client', true)
    for (const visibility of ['public', 'private', 'observer_only']) {
      await addMessage(visibility, `${visibility} words`)
    }
    const { data } = await plane.tenant.get(timeline())
    const observer = { participant_id: null, role: 'observer', display_name: 'Client' }
    expect(data.items).toContainEqual(
      expect.objectContaining({ type: 'participant.entered', offset_sec: 0, payload: observer }),
    )
    expect(data.items).toContainEqual(
      expect.objectContaining({ type: 'participant.left', offset_sec: 5, payload: observer }),
    )
    const said = data.items.filter(({ type }: { type: string }) => type === 'chat.message')
    expect(said.map(({ payload }: { payload: { text: string } }) => payload.text)).toEqual([
      'public words',
      'private words',
      'observer_only words',
    ])
    const seen = await read(timeline(), await watcher())
    expect(seen.data.items).toEqual([
      {
        type: 'chat.message',
        at: new Date(plane.now.getTime() + 10_000).toISOString(),
        offset_sec: 10,
        payload: {
          message_id: expect.any(String),
          visibility: 'public',
          sender_name: 'Mori',
          content_type: 'text',
          text: 'public words',
          file_name: null,
        },
      },
    ])
  })

  // contract: getRecordingCompleteness › A viewer who may `watch` reads it
  test('and what the recording lacks is read by a viewer who may watch', async () => {
    const answer = await read(`/recordings/${recordingId}/completeness`, await watcher())
    expect(answer.data).toMatchObject({ recording_id: recordingId, missing_sec: 0 })
  })
})

describe('a clip', () => {
  // contract: createClip › `tags`: at most `CLIP_TAGS_MAX`, each once; Clip has `tags`
  // contract: Limits › A clip has `CLIP_TAGS_MAX` tags of `CLIP_TAG_MAX` characters
  test('has tags, each once', async () => {
    const token = await tokenFor(['clip'])
    const path = `/recordings/${recordingId}/clips`
    const order = (tags: unknown) =>
      callAsViewer(plane.app, ['POST', path], { token, body: { start_sec: 1, end_sec: 2, tags } })
    expect((await order(['表示', 'label'])).data.tags).toEqual(['表示', 'label'])
    expect((await order(['a', 'a'])).details).toEqual([['tags', 'DUPLICATE']])
    expect((await order([''])).details).toEqual([['tags.0', 'TOO_SHORT']])
    expect((await order(['x'.repeat(41)])).details).toEqual([['tags.0', 'TOO_LONG']])
    const eleven = Array.from({ length: 11 }, (_, index) => `tag ${index}`)
    expect((await order(eleven)).details).toEqual([['tags', 'TOO_LONG']])
  })
})

describe('a file that was stored and is gone', () => {
  test('takes the activity with it', async () => {
    const id = await addRecording(plane, roomId)
    putObject(plane, `${plane.tenant.tenantId}/recordings/${id}`, 'the recording')
    await addActivities(id, [{ identity: 'p', speech: [], levels: [] }])
    await plane.tenant.delete(`/recordings/${id}`)
    const rows = await plane.database.db`
      select 1 from recording_activities where recording_id = ${id}
    `
    expect(rows).toEqual([])
  })
})
