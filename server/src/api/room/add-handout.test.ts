import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addHandout } from '../../testing/handouts.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { file, multipartOf, SAMPLES, type TestParts } from '../../testing/multipart.ts'
import { toAnswer } from '../../testing/tenant-client.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const PNG = file('competitor_price.png', SAMPLES.png)

async function add({ roomId, ticket }: Pick<Guest, 'roomId' | 'ticket'>, parts: TestParts) {
  const { payload, contentType } = multipartOf(parts)
  return toAnswer(
    await plane.app.inject({
      method: 'POST',
      url: `/api/v1/rooms/${roomId}/live/handouts`,
      payload,
      headers: { 'content-type': contentType, authorization: `Bearer ${ticket}` },
    }),
  )
}

async function newRoom() {
  const { id: roomId, session } = await plane.book({ startsInMin: 1 })
  return { roomId, session, moderator: await live.enter(roomId, 'moderator', { name: '司会' }) }
}

describe('POST /rooms/{room_id}/live/handouts', () => {
  // contract: addHandoutInRoom › 201, Handout; parts `file`, `title`; last in the list, and not shown
  // contract: addHandoutInRoom › RoomEvent `handout.added` (`handout_id`, `participant_id`, `identity`, `display_name`)
  test('adds the last handout of the session, which can be shown immediately', async () => {
    const { roomId, session, moderator } = await newRoom()
    await addHandout(plane, session.id, { sort: 4 })
    const reader = await moderator.listen()
    await reader.wait('snapshot')
    const answer = await add(moderator, [
      ['file', PNG],
      ['title', 'Shelf'],
    ])
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({
      session_id: session.id,
      external_type: null,
      external_id: null,
      file_name: 'competitor_price.png',
      title: 'Shelf',
      content_type: 'image',
      sort: 5,
    })
    await reader.wait('handouts')
    expect((await moderator.get('/handouts')).data.items.at(-1)).toEqual(answer.data)
    const { data: listed } = await plane.tenant.get(`/sessions/${session.id}/handouts`)
    expect(listed.items.at(-1)).toEqual(answer.data)
    const { data: log } = await plane.tenant.get(`/rooms/${roomId}/room-events`)
    expect(log.items).toMatchObject([
      {
        event_type: 'handout.added',
        payload: {
          handout_id: answer.data.id,
          participant_id: moderator.participantId,
          identity: moderator.participantId,
          display_name: '司会',
        },
      },
    ])
    const shown = await moderator.post(`/handouts/${answer.data.id}/show`)
    expect(shown.data).toMatchObject({ handout_id: answer.data.id, title: 'Shelf' })
  })

  test('takes a video, and a file without a title, as the first one', async () => {
    const { moderator } = await newRoom()
    const { data } = await add(moderator, [['file', file('film.mp4', SAMPLES.mp4)]])
    expect(data).toMatchObject({ content_type: 'video', title: null, sort: 0 })
  })

  // contract: addHandoutInRoom › 422 VALIDATION_ERROR for other roles
  test.each(['panelist', 'observer', 'platform_observer'] as const)(
    'is not for a %s: 422',
    async (role) => {
      const { roomId, session } = await newRoom()
      const answer = await add(await live.enter(roomId, role), [['file', PNG]])
      expect([answer.status, answer.details]).toEqual([422, [['role', 'NOT_ALLOWED']]])
      const { data } = await plane.tenant.get(`/sessions/${session.id}/handouts`)
      expect(data.items).toEqual([])
    },
  )

  // contract: addHandoutInRoom › 400 INVALID_REQUEST, 422 UNSUPPORTED_FILE_TYPE, 413 FILE_TOO_LARGE
  test.each<[string, TestParts, [number, string]]>([
    ['without a file', [['title', 'Shelf']], [400, 'INVALID_REQUEST']],
    [
      'with a sort',
      [
        ['file', PNG],
        ['sort', '1'],
      ],
      [400, 'INVALID_REQUEST'],
    ],
    [
      'with a file of another kind',
      [['file', file('a.pdf', Buffer.from('%PDF-1.7'))]],
      [422, 'UNSUPPORTED_FILE_TYPE'],
    ],
    [
      'with an invalid image',
      [['file', file('a.png', SAMPLES.mp4)]],
      [422, 'UNSUPPORTED_FILE_TYPE'],
    ],
    [
      'with more than 20 MB',
      [['file', file('a.png', Buffer.concat([SAMPLES.png, Buffer.alloc(21_000_000)]))]],
      [413, 'FILE_TOO_LARGE'],
    ],
  ])('%s is refused, and leaves no file', async (_name, parts, [status, code]) => {
    const { moderator } = await newRoom()
    const refused = await add(moderator, parts)
    expect([refused.status, refused.code]).toEqual([status, code])
    expect((await moderator.get('/handouts')).data.items).toEqual([])
  })

  // contract: addHandoutInRoom › 409 SESSION_RELEASED, 403 PARTICIPANT_BANNED, 422 OUTSIDE_TIME_WINDOW
  test.each([
    ['SESSION_RELEASED', async (path: string) => plane.tenant.post(`${path}/close`, {})],
    [
      'PARTICIPANT_BANNED',
      async (path: string, id: string) =>
        plane.tenant.post(`${path}/participants/${id}/ban`, { reason: 'no' }),
    ],
    [
      'OUTSIDE_TIME_WINDOW',
      async () => plane.database.db`
        update sessions set starts_at = starts_at - interval '1 day',
                            ends_at = ends_at - interval '1 day'
      `,
    ],
  ])('of a person who may no longer be in the room is refused: %s', async (code, happen) => {
    const { roomId, moderator } = await newRoom()
    await happen(`/rooms/${roomId}`, moderator.participantId)
    expect((await add(moderator, [['file', PNG]])).code).toBe(code)
  })
})
