import type { BoardRoom } from '@interview-room/contract/board.ts'
import { describe, expect, test } from 'vitest'
import { operatorOf } from '../../testing/board.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { connectMedia } from '../../testing/entries.ts'
import { said } from '../../testing/live-chat.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const bookRoom = async (): Promise<string> => (await plane.book({ startsInMin: 0 })).id
const askForHelp = (guest: Guest) => guest.post('/events', { event_type: 'help.requested' })

async function roomOnBoard(roomId: string): Promise<BoardRoom | undefined> {
  const { data } = await (await operatorOf(plane)).get('/rooms')
  return data.rooms.find(({ id }: BoardRoom) => id === roomId)
}

describe('a call for help is answered', () => {
  // contract: answerHelp › 200 with `answered`; kept as RoomEvent `help.answered`
  test('by the board, once, and noted in the log of the room', async () => {
    const roomId = await bookRoom()
    await askForHelp(await live.enter(roomId, 'panelist'))
    const operator = await operatorOf(plane)
    expect((await operator.post(`/rooms/${roomId}/help/answer`)).data).toEqual({ answered: 1 })
    expect((await operator.post(`/rooms/${roomId}/help/answer`)).data).toEqual({ answered: 0 })
    expect((await roomOnBoard(roomId))?.help_requests).toEqual([])
    const { data } = await plane.tenant.get(`/rooms/${roomId}/room-events?event_type=help.answered`)
    expect(data.items).toMatchObject([{ payload: { display_name: 'Operator' } }])
  })

  // contract: answerHelp › The room stream sends it as `fact`, to moderators and operators
  test('by the board, and moderators and operators in the room learn it', async () => {
    const roomId = await bookRoom()
    const panelist = await live.enter(roomId, 'panelist')
    const moderator = await (await live.enter(roomId, 'moderator')).listen()
    await askForHelp(panelist)
    await moderator.wait('fact', ({ type }) => type === 'help.requested')
    await (await operatorOf(plane)).post(`/rooms/${roomId}/help/answer`)
    expect(await moderator.wait('fact', ({ type }) => type === 'help.answered')).toMatchObject({
      participant_id: null,
      identity: '',
      display_name: 'Operator',
    })
  })

  // contract: postRoomEvent › `help.answered` of an operator in the room answers the open calls, as the board does
  test('by an operator in the room', async () => {
    const roomId = await bookRoom()
    const operator = await live.enter(roomId, 'platform_observer')
    await askForHelp(await live.enter(roomId, 'panelist'))
    expect((await roomOnBoard(roomId))?.help_requests).toHaveLength(1)
    expect((await operator.post('/events', { event_type: 'help.answered' })).status).toBe(201)
    expect((await roomOnBoard(roomId))?.help_requests).toEqual([])
  })

  // contract: answerHelp › A call is answered by an operator who comes in
  test('by an operator who enters, and opened again by the next one', async () => {
    const roomId = await bookRoom()
    const panelist = await live.enter(roomId, 'panelist')
    await askForHelp(panelist)
    expect((await roomOnBoard(roomId))?.help_requests).toHaveLength(1)
    const { participantId: identity } = await live.enter(roomId, 'platform_observer')
    await connectMedia(plane, { roomId, identity })
    expect((await roomOnBoard(roomId))?.help_requests).toEqual([])
    await askForHelp(panelist)
    expect((await roomOnBoard(roomId))?.help_requests).toHaveLength(1)
  })

  // contract: answerHelp › A call is answered by an operator who writes
  test('by an operator who writes in the room, but by no other writer', async () => {
    const roomId = await bookRoom()
    const panelist = await live.enter(roomId, 'panelist')
    const operator = await live.enter(roomId, 'platform_observer')
    await askForHelp(panelist)
    await panelist.post('/messages', said())
    expect((await roomOnBoard(roomId))?.help_requests).toHaveLength(1)
    expect((await operator.post('/messages', said())).status).toBe(201)
    expect((await roomOnBoard(roomId))?.help_requests).toEqual([])
  })
})
