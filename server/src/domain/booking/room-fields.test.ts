import { TRANSCRIPTION_LANGUAGES } from '@interview-room/contract/limits.ts'
import {
  ARCHIVE_MODES,
  ARCHIVE_RESOLUTIONS,
  STREAM_FRAME_RATES,
  STREAM_RESOLUTIONS,
  TRANSCRIPTION_ENGINES,
} from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { booking } from '../../testing/tenant-client.ts'
import { resizeMediaRoomJob } from './resize-media-room.job.ts'

const plane = useControlPlane()

type Body = ReturnType<typeof booking>

const withSession = (body: Body, session: object) => ({
  ...body,
  session: { ...body.session, ...session },
})

const EVERY_VALUE = [
  ...ARCHIVE_MODES.map((value) => ['archive_mode', value] as const),
  ...ARCHIVE_RESOLUTIONS.map((value) => ['archive_resolution', value] as const),
  ...STREAM_RESOLUTIONS.map((value) => ['stream_resolution', value] as const),
  ...STREAM_FRAME_RATES.map((value) => ['stream_frame_rate', value] as const),
  ...TRANSCRIPTION_LANGUAGES.map((value) => ['transcription_language', value] as const),
  ...TRANSCRIPTION_ENGINES.map((value) => ['transcription_service', value] as const),
]

describe('POST /rooms takes', () => {
  // contract: createRoom › Every value of `archive_mode`, `archive_resolution`,
  //   `stream_resolution`, `stream_frame_rate`, `transcription_language`
  //   (`TRANSCRIPTION_LANGUAGES`) and `transcription_service`
  test.each(EVERY_VALUE)('%s %s and publishes it as it is', async (field, value) => {
    const body = { ...booking({ now: plane.now }), [field]: value }
    const { status, data } = await plane.tenant.post('/rooms', body)
    expect([status, data[field]]).toEqual([201, value])
    expect((await plane.tenant.get(`/rooms/${data.id}`)).data[field]).toBe(value)
  })

  // contract: Fields of a Session › `external_type`, `external_id` at most 64 characters
  //   (`EXTERNAL_REF_MAX`), `name` at most 255 (`SESSION_NAME_MAX`)
  // contract: Limits › `external_type`, `external_id`: at most 64; `name`: at most 255
  test('references of 64 and names of 255 characters', async () => {
    const longest = {
      external_type: 'T'.repeat(64),
      external_id: '🎥'.repeat(64),
      name: '面'.repeat(255),
    }
    const body = withSession(booking({ now: plane.now }), longest)
    const { status, data } = await plane.tenant.post('/rooms', body)
    expect(status).toBe(201)
    const session = await plane.tenant.get(`/sessions/${data.session.id}`)
    expect(session.data).toMatchObject(longest)
  })

  // contract: Fields of a Session › `name` is nullable: null when unset
  test('a name of null, the same as no name', async () => {
    const body = withSession(booking({ now: plane.now }), { name: null })
    const { data } = await plane.tenant.post('/rooms', body)
    expect((await plane.tenant.get(`/sessions/${data.session.id}`)).data.name).toBeNull()
  })

  // contract: createRoom › A slot of exactly 24 hours (`SLOT_MAX_SEC`) is possible
  test('a slot of exactly 24 hours', async () => {
    const body = booking({ now: plane.now })
    const ends_at = new Date(Date.parse(body.session.starts_at) + 24 * 3_600_000).toISOString()
    const { status, data } = await plane.tenant.post('/rooms', withSession(body, { ends_at }))
    expect([status, data.session.ends_at]).toEqual([201, ends_at])
  })
})

describe('POST /rooms does not take', () => {
  // contract: createRoom › 400 INVALID_REQUEST: each field of `session` but `name` is required;
  //   values of other lists
  test.each<[string, (body: Body) => object, [string, string][]]>([
    [
      'a session without its fields',
      (body) => ({ ...body, session: {} }),
      [
        ['session.external_type', 'REQUIRED'],
        ['session.external_id', 'REQUIRED'],
        ['session.starts_at', 'REQUIRED'],
        ['session.ends_at', 'REQUIRED'],
      ],
    ],
    [
      'a kind that does not exist',
      (body) => ({ ...body, kind: 'lecture' }),
      [['kind', 'INVALID_ENUM']],
    ],
    [
      'modes and resolutions of other lists',
      (body) => ({
        ...body,
        archive_mode: 'never',
        archive_resolution: '320x240',
        stream_resolution: '1920x1080',
      }),
      [
        ['archive_mode', 'INVALID_ENUM'],
        ['archive_resolution', 'INVALID_ENUM'],
        ['stream_resolution', 'INVALID_ENUM'],
      ],
    ],
    [
      'a type of 65 characters',
      (body) => withSession(body, { external_type: 'x'.repeat(65) }),
      [['session.external_type', 'TOO_LONG']],
    ],
  ])('%s: 400 INVALID_REQUEST', async (_what, change, details) => {
    const refused = await plane.tenant.post('/rooms', change(booking({ now: plane.now })))
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(new Map(refused.details)).toEqual(new Map(details))
  })

  // contract: listSessions › Newest first: at most one Session has a reference, so that there is
  //   one order
  // contract: createRoom › 409 DUPLICATE_EXTERNAL_REF after a cancellation, too; `details` names the
  //   session
  test('the reference of a cancelled session: 409 DUPLICATE_EXTERNAL_REF', async () => {
    const body = booking({ now: plane.now })
    const { data } = await plane.tenant.post('/rooms', body)
    await plane.tenant.delete(`/sessions/${data.session.id}`)
    const refused = await plane.tenant.post('/rooms', body)
    expect([refused.status, refused.code]).toEqual([409, 'DUPLICATE_EXTERNAL_REF'])
    expect(refused.details).toEqual([['session.external_id', 'DUPLICATE']])
    expect(refused.text).toContain(`is the reference of session ${data.session.id}`)
  })
})

describe('a new room', () => {
  // contract: Form of answers › Success envelope: `success`, `data`, and nothing besides
  test('is enveloped in success and data, and nothing besides, as every success', async () => {
    const made = await plane.tenant.post('/rooms', booking({ now: plane.now }))
    const read = await plane.tenant.get(`/rooms/${made.data.id}`)
    for (const { text, data, headers } of [made, read]) {
      expect(JSON.parse(text)).toEqual({ success: true, data })
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
    }
  })

  // contract: Fields of a Session › `access_token` is random per Session
  test('gives its session an access token that no other has', async () => {
    const tokens = new Set<string>()
    for (let n = 0; n < 3; n += 1) {
      const { session } = await plane.book()
      tokens.add((await plane.tenant.get(`/sessions/${session.id}`)).data.access_token)
    }
    expect(tokens.size).toBe(3)
  })

  // contract: createRoom › The media room's id is stored once
  test('stores the id of its media room once: a later one of the same name changes nothing', async () => {
    const room = await plane.book()
    const sidOf = () => plane.database.db`select media_room_sid from rooms where id = ${room.id}`
    const [first] = await sidOf()
    await plane.media.deleteRoom(room.id)
    const ends_at = new Date(plane.now.getTime() + 7_200_000).toISOString()
    await plane.tenant.patch(`/sessions/${room.session.id}`, { ends_at })
    const { signal } = new AbortController()
    const run = { key: room.id, payload: {}, attempt: 1, signal, log: plane.deps.log }
    await resizeMediaRoomJob(plane.deps).run(run)
    expect(plane.media.rooms.get(room.id)?.sid).not.toBe(first?.['media_room_sid'])
    expect(await sidOf()).toEqual([first])
  })
})
