import { describe, expect, test } from 'vitest'
import {
  COMPLETED,
  FAILED,
  type StartedTest,
  useConnectionTests,
} from '../../testing/connection-tests.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { useRecordedRooms } from '../../testing/recorded-rooms.ts'
import { readBoard } from '../board/read-board.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const { start, report } = useConnectionTests(plane)

async function tested(externalId: string, result: object): Promise<StartedTest> {
  const started = await start({ external_type: 'User', external_id: externalId })
  await report(started, 'connected')
  await report(started, 'result', result)
  rooms.later(1000)
  return started
}

/** Enters as a panelist with this external reference. */
async function comeAs(roomId: string, externalId: string): Promise<Guest> {
  const panelist = await live.enter(roomId, 'panelist', {
    participant: { external_type: 'User', external_id: externalId },
    name: `P-${externalId}`,
  })
  plane.media.connect(roomId, panelist.participantId, plane.now)
  return panelist
}

const byToken = (roomId: string, token: string) =>
  plane.tenant.send({
    method: 'GET',
    url: `/api/v1/rooms/${roomId}/live/respondent-tests`,
    headers: { authorization: `Bearer ${token}` },
  })

const LAST = {
  status: 'completed',
  failure_reason: null,
  mos: expect.any(Number),
  recommended_resolution: '1280x720',
  recommended_frame_rate: 15,
  warnings: ['relay_only'],
  completed_at: expect.any(String),
}

describe('the newest connection test of a participant', () => {
  // contract: listRespondentTests › Only moderators and operators, who see it in the roster too
  //   (`last_test`)
  test('is in the roster of moderators and operators only', async () => {
    const roomId = await rooms.book('manual')
    await tested('1', FAILED)
    await tested('1', COMPLETED)
    await comeAs(roomId, '1')
    await rooms.come(roomId, 'moderator')
    const seen = async (role: Guest['role']) => {
      const claims = role === 'platform_observer' ? { participant: undefined } : {}
      const reader = await (await live.enter(roomId, role, claims)).listen()
      const { roster } = await reader.wait('snapshot')
      reader.close()
      return roster.find(({ display_name: name }) => name === 'P-1')
    }
    const tests = [await seen('moderator'), await seen('platform_observer')]
    expect(tests.map((person) => person?.last_test)).toEqual([LAST, LAST])
    const others = [await seen('observer'), await seen('panelist')]
    expect(others.map((person) => person && 'last_test' in person)).toEqual([false, false])
  })

  // contract: listRespondentTests › The board shows it (`last_test`)
  // contract: listBoardRooms › `last_test` of each: `status`, `completed_at`, `failure_reason`,
  //   `mos`, `recommended_resolution`, `recommended_frame_rate`, `warnings`
  test('is shown on the board', async () => {
    const roomId = await rooms.book('manual')
    await tested('2', { ...FAILED, failure_reason: 'media_failed' })
    await comeAs(roomId, '2')
    await rooms.come(roomId, 'moderator')
    const board = await readBoard(plane.deps, plane.tenant.tenantId)
    const people = board.rooms.find(({ id }) => id === roomId)?.people ?? []
    expect(people.map(({ role, last_test: test }) => [role, test?.failure_reason])).toEqual(
      expect.arrayContaining([
        ['panelist', 'media_failed'],
        ['moderator', undefined],
      ]),
    )
  })

  // contract: listRespondentTests › `last_test` is null without a result
  test('is never a test of another tenant, of another reference, or without a result', async () => {
    const roomId = await rooms.book('manual')
    await start({ external_type: 'User', external_id: '3' })
    await plane.other.post('/connection-tests', { external_type: 'User', external_id: '3' })
    await plane.database.db`
      update connection_tests
         set status = 'failed', failure_reason = 'internal', completed_at = now()
       where tenant_id = ${plane.other.tenantId}
    `
    await tested('4', COMPLETED)
    const panelist = await comeAs(roomId, '3')
    const moderator = await live.enter(roomId, 'moderator')
    expect((await moderator.get('/respondent-tests')).data.items).toEqual([
      { participant_id: panelist.participantId, display_name: 'P-3', last_test: null },
    ])
  })
})

describe('GET /rooms/{room_id}/live/respondent-tests', () => {
  // contract: listRespondentTests › 200 `items`: `participant_id`, `display_name`, `last_test`
  //   (`status`, `completed_at`, `failure_reason`, `mos`, `recommended_resolution`,
  //   `recommended_frame_rate`, `warnings`)
  test('lists the respondents who have been in the room, by ticket and by token', async () => {
    const roomId = await rooms.book('manual')
    await tested('5', COMPLETED)
    const first = await comeAs(roomId, '5')
    await live.enter(roomId, 'observer')
    const moderator = await live.enter(roomId, 'moderator')
    const expected = {
      items: [
        {
          participant_id: first.participantId,
          display_name: 'P-5',
          last_test: LAST,
        },
      ],
    }
    expect((await moderator.get('/respondent-tests')).data).toEqual(expected)
    const token = await live.acting.signToken({ roomId, role: 'moderator' })
    expect((await byToken(roomId, token)).data).toEqual(expected)
  })

  // contract: listRespondentTests › 422 VALIDATION_ERROR for other roles
  test.each(['panelist', 'observer'] as const)('is 422 NOT_ALLOWED for a %s', async (role) => {
    const roomId = await rooms.book('manual')
    const refused = await (await live.enter(roomId, role)).get('/respondent-tests')
    expect([refused.status, refused.details]).toEqual([422, [['role', 'NOT_ALLOWED']]])
  })

  // contract: listRespondentTests › 401 UNAUTHORIZED without a credential
  test('without a credential is 401 UNAUTHORIZED', async () => {
    const roomId = await rooms.book('manual')
    const refused = await byToken(roomId, 'nothing')
    expect([refused.status, refused.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  // contract: listRespondentTests › 400 UNKNOWN_ROLE
  // contract: listRespondentTests › 409 SESSION_RELEASED
  // contract: listRespondentTests › 409 PARTICIPANT_BANNED
  // contract: listRespondentTests › 422 OUTSIDE_TIME_WINDOW
  test('refuses callers without admission', async () => {
    const { id: closed } = await plane.book()
    await plane.tenant.post(`/rooms/${closed}/close`)
    const { id: early } = await plane.book({ startsInMin: 120 })
    const { id: open } = await plane.book()
    const banned = await live.enter(open, 'moderator')
    const ban = `/rooms/${open}/participants/${banned.participantId}/ban`
    await plane.tenant.post(ban, { reason: 'x' })
    const sign = (roomId: string, role: string) => live.acting.signToken({ roomId, role })
    const answers = [
      await byToken(open, await sign(open, 'king')),
      await byToken(closed, await sign(closed, 'moderator')),
      await banned.get('/respondent-tests'),
      await byToken(early, await sign(early, 'moderator')),
    ]
    expect(answers.map(({ status, code }) => [status, code])).toEqual([
      [400, 'UNKNOWN_ROLE'],
      [409, 'SESSION_RELEASED'],
      [409, 'PARTICIPANT_BANNED'],
      [422, 'OUTSIDE_TIME_WINDOW'],
    ])
  })
})
