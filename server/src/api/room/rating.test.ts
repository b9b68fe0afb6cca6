import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

async function newRoom(): Promise<string> {
  return (await plane.book({ startsInMin: 1 })).id
}

async function ratingsOf(roomId: string): Promise<unknown[]> {
  const { data } = await plane.tenant.get(`/rooms/${roomId}/room-events?event_type=interview.rated`)
  return data.items.map(({ payload }: { payload: unknown }) => payload)
}

const rate = (by: Guest, body: object) => by.post('/rating', body)

describe('POST /rooms/{room_id}/live/rating', () => {
  // contract: rateInterview › 201, `score`, `comment`, in the log of the room
  test('writes the rating of a panelist into the log of the room', async () => {
    const roomId = await newRoom()
    const panelist = await live.enter(roomId, 'panelist', { name: '佐藤 花子' })
    expect(
      await rate(panelist, { score: 4, comment: ' 話しやすかった\u0007\nです ' }),
    ).toMatchObject({
      status: 201,
      data: { score: 4, comment: '話しやすかった\nです' },
    })
    expect(await ratingsOf(roomId)).toEqual([
      {
        participant_id: panelist.participantId,
        identity: panelist.participantId,
        display_name: '佐藤 花子',
        score: 4,
        comment: '話しやすかった\nです',
      },
    ])
  })

  // contract: rateInterview › 200 for a repeat: the first rating counts
  test('counts the first rating of a person, also of two at the same time', async () => {
    const roomId = await newRoom()
    const panelist = await live.enter(roomId, 'panelist')
    const answers = await Promise.all([1, 2, 3].map((score) => rate(panelist, { score })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201])
    expect(new Set(answers.map(({ data }) => data.score)).size).toBe(1)
    expect(await ratingsOf(roomId)).toHaveLength(1)
  })

  // contract: rateInterview › In a room that is closed
  test('is taken in a room that is closed', async () => {
    const roomId = await newRoom()
    const panelist = await live.enter(roomId, 'panelist')
    await plane.tenant.post(`/rooms/${roomId}/close`, {})
    expect(await rate(panelist, { score: 5 })).toMatchObject({
      status: 201,
      data: { score: 5, comment: null },
    })
  })

  // contract: rateInterview › 409 PARTICIPANT_BANNED
  test('is refused to a banned person', async () => {
    const roomId = await newRoom()
    const panelist = await live.enter(roomId, 'panelist')
    const moderator = await live.enter(roomId, 'moderator')
    await moderator.post(`/participants/${panelist.participantId}/ban`, { reason: 'r' })
    expect(await rate(panelist, { score: 1 })).toMatchObject({ code: 'PARTICIPANT_BANNED' })
    expect(await ratingsOf(roomId)).toEqual([])
  })

  // contract: rateInterview › 422 VALIDATION_ERROR for other roles
  test.each(['moderator', 'observer', 'platform_observer'] as const)(
    'by a %s is 422 NOT_ALLOWED',
    async (role) => {
      const guest = await live.enter(await newRoom(), role)
      expect(await rate(guest, { score: 5 })).toMatchObject({
        status: 422,
        details: [['role', 'NOT_ALLOWED']],
      })
    },
  )

  // contract: rateInterview › 400 INVALID_REQUEST
  // contract: Limits › A rating has a score of 1 to `RATING_SCORE_MAX`, and `RATING_COMMENT_MAX`
  test.each([
    [{}, 'score', 'REQUIRED'],
    [{ score: 0 }, 'score', 'OUT_OF_RANGE'],
    [{ score: 6 }, 'score', 'OUT_OF_RANGE'],
    [{ score: 2.5 }, 'score', 'INVALID_TYPE'],
    [{ score: 3, comment: 'x'.repeat(1001) }, 'comment', 'TOO_LONG'],
    [{ score: 3, stars: 1 }, 'stars', 'UNKNOWN_FIELD'],
  ])('with %j is 400 INVALID_REQUEST', async (body, field, code) => {
    const panelist = await live.enter(await newRoom(), 'panelist')
    expect(await rate(panelist, body)).toMatchObject({ status: 400, details: [[field, code]] })
  })
})
