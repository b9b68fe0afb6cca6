import { randomUUID } from 'node:crypto'
import * as liveModeration from '@interview-room/contract/operations/live-moderation.ts'
import * as livePeople from '@interview-room/contract/operations/live-people.ts'
import * as liveQuestions from '@interview-room/contract/operations/live-questions.ts'
import * as liveRecording from '@interview-room/contract/operations/live-recording.ts'
import type { Operation } from '@interview-room/contract/operations/operation.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { addHandout } from '../../testing/handouts.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { toAnswer } from '../../testing/tenant-client.ts'

/** The refusals that every operation from inside a room shares. */

const OPERATIONS: Readonly<Record<string, Operation>> = Object.fromEntries(
  Object.values<Operation>({ ...liveModeration, ...livePeople, ...liveQuestions, ...liveRecording })
    // Leaves out the rating, which is also accepted after the room has closed.
    .filter(({ refusals = [] }) => refusals.includes('SESSION_RELEASED'))
    .map((each) => [`${each.method} ${each.path}`, each]),
)

const plane = useControlPlane()
const live = useLiveRooms(plane)

let moderator: Guest
let ids: Record<string, string>

beforeEach(async () => {
  // Tokens are signed at the real time, and this many tests take a busy machine longer than a token lives.
  plane.now = new Date()
  const { id: room_id, session } = await plane.book({ startsInMin: 1 })
  moderator = await live.enter(room_id, 'moderator')
  const { participantId } = await live.enter(room_id, 'panelist')
  const { id: handout_id } = await addHandout(plane, session.id)
  ids = { room_id, participant_id: participantId, handout_id, question_id: randomUUID() }
})

async function call(operation: string, authorization: string) {
  const [method, path] = operation.split(' ') as ['GET' | 'POST', string]
  const request = OPERATIONS[operation]?.example?.request as object | undefined
  const answer = await plane.app.inject({
    method,
    url: `/api/v1${path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? '')}`,
    headers: { authorization },
    ...(request !== undefined && { payload: request }),
  })
  return toAnswer(answer)
}

const byTicket = (operation: string) => call(operation, `Bearer ${moderator.ticket}`)

describe.each(Object.keys(OPERATIONS))('%s refuses', (operation) => {
  // contract: listHandoutsInRoom, showHandout, hideHandout, movePlayback, banFromInside,
  //   muteParticipant, closeFromInside, startRecording, pauseRecording, resumeRecording,
  //   stopRecording, postRoomEvent, removeFromInside, muteEveryone, lowerHand, lowerAllHands,
  //   spotlightParticipant, endSpotlight, addQuestion, changeQuestion,
  //   allowScreenShare, withdrawScreenShare › 401 UNAUTHORIZED
  test('an API key, nonsense and the ticket of another room with 401', async () => {
    const { id: otherRoom } = await plane.book({ startsInMin: 1 })
    const { ticket } = await live.enter(otherRoom, 'moderator')
    for (const credential of [plane.tenant.authorization, 'Bearer x.y.z', `Bearer ${ticket}`]) {
      expect(await call(operation, credential)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    }
  })

  // contract: listHandoutsInRoom, showHandout, hideHandout, movePlayback, banFromInside,
  //   muteParticipant, closeFromInside, startRecording, pauseRecording, resumeRecording,
  //   stopRecording, postRoomEvent, removeFromInside, muteEveryone, lowerHand, lowerAllHands,
  //   spotlightParticipant, endSpotlight, addQuestion, changeQuestion,
  //   allowScreenShare, withdrawScreenShare › 409 SESSION_RELEASED
  test('a closed room with 409 SESSION_RELEASED', async () => {
    await plane.tenant.post(`/rooms/${moderator.roomId}/close`)
    expect(await byTicket(operation)).toMatchObject({ status: 409, code: 'SESSION_RELEASED' })
  })

  // contract: listHandoutsInRoom, showHandout, hideHandout, movePlayback, banFromInside,
  //   muteParticipant, closeFromInside, startRecording, pauseRecording, resumeRecording,
  //   stopRecording, postRoomEvent, removeFromInside, muteEveryone, lowerHand, lowerAllHands,
  //   spotlightParticipant, endSpotlight, addQuestion, changeQuestion,
  //   allowScreenShare, withdrawScreenShare › 409 PARTICIPANT_BANNED
  test('a banned person with 409 PARTICIPANT_BANNED', async () => {
    const { roomId, participantId } = moderator
    const path = `/rooms/${roomId}/participants/${participantId}/ban`
    await plane.tenant.post(path, { reason: 'r' })
    expect(await byTicket(operation)).toMatchObject({ status: 409, code: 'PARTICIPANT_BANNED' })
  })

  // contract: listHandoutsInRoom, showHandout, hideHandout, movePlayback, banFromInside,
  //   muteParticipant, closeFromInside, startRecording, pauseRecording, resumeRecording,
  //   stopRecording, postRoomEvent, removeFromInside, muteEveryone, lowerHand, lowerAllHands,
  //   spotlightParticipant, endSpotlight, addQuestion, changeQuestion,
  //   allowScreenShare, withdrawScreenShare › 422 OUTSIDE_TIME_WINDOW
  test('everybody outside of the window with 422 OUTSIDE_TIME_WINDOW', async () => {
    await plane.database.db`
      update sessions
         set starts_at = starts_at - interval '1 day', ends_at = ends_at - interval '1 day'
       where room_id = ${moderator.roomId}
    `
    expect(await byTicket(operation)).toMatchObject({ status: 422, code: 'OUTSIDE_TIME_WINDOW' })
  })
})
