import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'

const plane = useControlPlane()

describe('PATCH /rooms/{room_id}', () => {
  // contract: patchRoom › 200, summary `id`, `kind`, `status` with the changed
  //   `transcription_language`, `transcription_service`
  test('changes the transcription defaults and answers the summary with the changed fields', async () => {
    const room = await plane.book()
    const language = await plane.tenant.patch(`/rooms/${room.id}`, {
      transcription_language: 'EN-us',
    })
    expect(language.status).toBe(200)
    expect(language.data).toEqual({
      id: room.id,
      kind: 'interview',
      status: 'open',
      transcription_language: 'en-US',
    })
    const service = await plane.tenant.patch(`/rooms/${room.id}`, {
      transcription_service: 'engine_a',
    })
    expect(service.data).toMatchObject({ transcription_service: 'engine_a' })
    expect((await plane.tenant.get(`/rooms/${room.id}`)).data).toEqual({
      ...room,
      transcription_language: 'en-US',
      transcription_service: 'engine_a',
    })
  })

  // contract: patchRoom › An empty patch changes nothing
  test('without a member changes nothing', async () => {
    const room = await plane.book()
    expect((await plane.tenant.patch(`/rooms/${room.id}`, {})).data).toEqual({
      id: room.id,
      kind: 'interview',
      status: 'open',
    })
    expect((await plane.tenant.get(`/rooms/${room.id}`)).data).toEqual(room)
  })

  // contract: patchRoom › Deprecated engines: `Deprecation`, `Sunset`, `Link`
  test('to a deprecated engine sends Deprecation, Sunset and Link', async () => {
    const { id } = await plane.book()
    const answer = await plane.tenant.patch(`/rooms/${id}`, { transcription_service: 'engine_d' })
    expect(answer.headers['deprecation']).toMatch(/^@\d+$/)
    expect(answer.headers['sunset']).toMatch(/GMT$/)
    expect(answer.headers['link']).toBe('</docs/>; rel="deprecation"; type="text/html"')
  })

  // contract: patchRoom › 400 INVALID_REQUEST: null, over 16 characters, languages and engines that
  //   there are not
  // contract: Limits › `transcription_language`, `language`: at most 16 characters
  test.each([
    [{ transcription_language: null }, 'transcription_language', 'NOT_NULLABLE'],
    [{ transcription_language: 'fr-FR' }, 'transcription_language', 'INVALID_ENUM'],
    [{ transcription_language: 'x'.repeat(17) }, 'transcription_language', 'TOO_LONG'],
    [{ transcription_service: 'engine_z' }, 'transcription_service', 'INVALID_ENUM'],
    [{ transcription_service: null }, 'transcription_service', 'NOT_NULLABLE'],
    [{ kind: 'interview' }, 'kind', 'UNKNOWN_FIELD'],
  ])('with %j is 400 INVALID_REQUEST', async (patch, field, code) => {
    const { id } = await plane.book()
    const refused = await plane.tenant.patch(`/rooms/${id}`, patch)
    expect([refused.status, refused.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(refused.details).toEqual([[field, code]])
  })

  // contract: patchRoom › 422 IMMUTABLE_FIELD for `archive_mode`, `archive_resolution`,
  //   `stream_resolution`, `stream_frame_rate`
  test.each(['archive_mode', 'archive_resolution', 'stream_resolution', 'stream_frame_rate'])(
    'of %s is 422 IMMUTABLE_FIELD',
    async (field) => {
      const room = await plane.book()
      const kept = await plane.tenant.patch(`/rooms/${room.id}`, { [field]: room[field] })
      expect(kept.status).toBe(200)
      const refused = await plane.tenant.patch(`/rooms/${room.id}`, { [field]: 'another' })
      expect([refused.status, refused.code]).toEqual([422, 'IMMUTABLE_FIELD'])
      expect(refused.details).toEqual([[field, 'IMMUTABLE']])
    },
  )

  // contract: States of a Room › closed stays unchanged by PATCH
  // contract: patchRoom, Error codes › 409 ROOM_CLOSED
  test('of a closed room is 409 ROOM_CLOSED, whatever it says', async () => {
    const { id } = await plane.book()
    await plane.tenant.post(`/rooms/${id}/close`)
    for (const patch of [{}, { transcription_service: 'engine_a' }, { archive_mode: 'manual' }]) {
      const refused = await plane.tenant.patch(`/rooms/${id}`, patch)
      expect([refused.status, refused.code]).toEqual([409, 'ROOM_CLOSED'])
    }
  })

  // contract: patchRoom › Two concurrent patches lose nothing
  test('of different fields at the same time keeps both', async () => {
    const { id } = await plane.book()
    await Promise.all([
      plane.tenant.patch(`/rooms/${id}`, { transcription_language: 'ko-KR' }),
      plane.tenant.patch(`/rooms/${id}`, { transcription_service: 'engine_b' }),
    ])
    expect((await plane.tenant.get(`/rooms/${id}`)).data).toMatchObject({
      transcription_language: 'ko-KR',
      transcription_service: 'engine_b',
    })
  })

  // contract: patchRoom › Other tenant: 404 NOT_FOUND
  test('of another tenant answers 404, like an unknown one', async () => {
    const { id } = await plane.book()
    const foreign = await plane.other.patch(`/rooms/${id}`, {})
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe((await plane.other.patch(`/rooms/${randomUUID()}`, {})).text)
  })
})
