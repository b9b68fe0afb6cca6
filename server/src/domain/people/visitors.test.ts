import { REMOVED_CHALLENGE } from '@interview-room/contract/live-entry.ts'
import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { openReader, useLiveRooms } from '../../testing/live-room.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { toAnswer } from '../../testing/tenant-client.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { removeParticipantJob } from './remove-participant.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

/** A room with a moderator and an entry by the simple route. */
async function newRoom() {
  const { id: roomId, session } = await plane.book({ startsInMin: 1 })
  const { data } = await plane.tenant.get(`/sessions/${session.id}`)
  const moderator = await live.enter(roomId, 'moderator')
  const call = async (path: string, payload: object, bearer?: string) => {
    const url = `/api/v1/rooms/${roomId}/live${path}`
    const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
    return toAnswer(await plane.app.inject({ method: 'POST', url, payload, headers }))
  }
  const visit = async (name: string) => {
    const entry = await call('/entry', { access_token: data.access_token, name })
    expect(entry.status).toBe(201)
    const { ticket } = entry.data
    const [admission] = await plane.database.db`
      select id from admissions where room_id = ${roomId} order by id desc limit 1
    `
    const identity = String(admission?.['id'])
    plane.media.connect(roomId, identity)
    return {
      identity,
      post: (path: string, body: object) => call(path, body, ticket),
      listen: () =>
        openReader(`${live.origin}/api/v1/rooms/${roomId}/live/stream`, {
          authorization: `Bearer ${ticket}`,
        }),
    }
  }
  return { roomId, moderator, visit }
}

const isInside = (roomId: string, identity: string) =>
  (plane.media.connections.get(roomId) ?? []).some((each) => each.identity === identity)

const eventsOf = async (roomId: string) => [
  ...(await plane.database
    .db`select event_type, payload from room_events where room_id = ${roomId} order by seq`),
]

describe('POST /rooms/{room_id}/live/participants/{participant_id}/ban for a visitor of the simple route', () => {
  // contract: banFromInside › A visitor of the simple route, by the identity of the roster: this
  //   entry is over
  test('removes only this visitor, by the identity in the roster', async () => {
    const { roomId, moderator, visit } = await newRoom()
    const [visitor, beside] = [await visit('一郎'), await visit('二郎')]
    const reader = await visitor.listen()
    const answer = await moderator.post(`/participants/${visitor.identity}/ban`, { reason: '騒音' })
    expect(answer).toMatchObject({ status: 200, data: { participant_id: visitor.identity } })

    expect(await reader.wait('removed')).toEqual({ reason: 'removed' })
    await waitFor(reader.hasEnded)
    await waitFor(() => !isInside(roomId, visitor.identity))
    expect(await visitor.post('/ticket', {})).toMatchObject({ code: 'PARTICIPANT_BANNED' })
    expect(await eventsOf(roomId)).toEqual([
      {
        event_type: 'participant.removed',
        payload: {
          participant_id: null,
          identity: visitor.identity,
          display_name: '一郎',
          reason: '騒音',
          by: moderator.participantId,
        },
      },
    ])
    expect(isInside(roomId, beside.identity)).toBe(true)
    expect((await beside.post('/ticket', {})).status).toBe(201)
    reader.close()
  })

  test('a repeat changes nothing', async () => {
    const { roomId, moderator, visit } = await newRoom()
    const visitor = await visit('一郎')
    const ban = () => moderator.post(`/participants/${visitor.identity}/ban`, { reason: 'r' })
    await ban()
    expect((await ban()).status).toBe(200)
    expect(await eventsOf(roomId)).toHaveLength(1)
  })

  test('takes effect while the provider is down, and a job removes the visitor later', async () => {
    const { roomId, moderator, visit } = await newRoom()
    const visitor = await visit('一郎')
    plane.media.isDown = true
    await moderator.post(`/participants/${visitor.identity}/ban`, { reason: 'r' })
    expect(isInside(roomId, visitor.identity)).toBe(true)
    plane.media.isDown = false
    await runJobs(plane.database.db, removeParticipantJob(plane.deps))
    expect(isInside(roomId, visitor.identity)).toBe(false)
  })

  test('of another room is 404', async () => {
    const { moderator } = await newRoom()
    const visitor = await (await newRoom()).visit('一郎')
    const answer = await moderator.post(`/participants/${visitor.identity}/ban`, { reason: 'r' })
    expect(answer.status).toBe(404)
    expect((await visitor.post('/ticket', {})).status).toBe(201)
  })

  // contract: rateInterview › 409 PARTICIPANT_BANNED for a banned visitor of the simple route
  test("refuses the visitor's rating from then on, but not those of others", async () => {
    const { roomId, moderator, visit } = await newRoom()
    const [visitor, beside] = [await visit('一郎'), await visit('二郎')]
    await moderator.post(`/participants/${visitor.identity}/ban`, { reason: '騒音' })
    const rating = { score: 1, comment: 'rude' }
    expect(await visitor.post('/rating', rating)).toMatchObject({ code: 'PARTICIPANT_BANNED' })
    expect(await beside.post('/rating', rating)).toMatchObject({ status: 201 })
    const rated = (await eventsOf(roomId)).filter(
      (each) => each['event_type'] === 'interview.rated',
    )
    expect(rated).toMatchObject([{ payload: { identity: beside.identity } }])
  })
})

describe('POST /rooms/{room_id}/live/participants/{participant_id}/remove for a visitor of the simple route', () => {
  // contract: removeFromInside › The ticket is over, and the same person may enter again
  test('ends the ticket without a ban, and lets the same person enter again', async () => {
    const { roomId, moderator, visit } = await newRoom()
    const visitor = await visit('一郎')
    const answer = await moderator.post(`/participants/${visitor.identity}/remove`)
    expect(answer).toMatchObject({ status: 200, data: { status: 'removed' } })
    expect(isInside(roomId, visitor.identity)).toBe(false)
    // The page may have missed the event.
    const renewal = await visitor.post('/ticket', {})
    expect(renewal).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect(renewal.headers['www-authenticate']).toBe(REMOVED_CHALLENGE)
    await expect(visitor.listen()).rejects.toThrow('UNAUTHORIZED')
    expect((await (await visit('一郎')).post('/ticket', {})).status).toBe(201)
  })

  test('may be followed by a ban of the same entry, with its reason', async () => {
    const { roomId, moderator, visit } = await newRoom()
    const visitor = await visit('一郎')
    await moderator.post(`/participants/${visitor.identity}/remove`)
    await moderator.post(`/participants/${visitor.identity}/ban`, { reason: '騒音' })
    expect(await visitor.post('/ticket', {})).toMatchObject({ code: 'PARTICIPANT_BANNED' })
    const payloads = (await eventsOf(roomId)).map(({ payload }) => payload as { reason?: string })
    expect(payloads.map(({ reason }) => reason)).toEqual([undefined, '騒音'])
  })

  test('changes nothing after a ban', async () => {
    const { roomId, moderator, visit } = await newRoom()
    const visitor = await visit('一郎')
    await moderator.post(`/participants/${visitor.identity}/ban`, { reason: 'r' })
    expect((await moderator.post(`/participants/${visitor.identity}/remove`)).status).toBe(200)
    expect(await visitor.post('/ticket', {})).toMatchObject({ code: 'PARTICIPANT_BANNED' })
    expect(await eventsOf(roomId)).toHaveLength(1)
  })
})

// contract: muteParticipant › A visitor of the simple route, by the identity of the roster
test('POST .../mute asks only one visitor of the simple route to mute', async () => {
  const { roomId, moderator, visit } = await newRoom()
  const [visitor, beside] = [await visit('一郎'), await visit('二郎')]
  const [reader, other] = await Promise.all([visitor.listen(), beside.listen()])
  await Promise.all([reader.wait('snapshot'), other.wait('snapshot')])
  const answer = await moderator.post(`/participants/${visitor.identity}/mute`)
  expect(answer).toMatchObject({ status: 200, data: { participant_id: visitor.identity } })
  await reader.wait('mute_requested')
  expect(plane.media.calls).toContain(`muteMicrophone ${visitor.identity}`)

  await moderator.post('/close', {})
  await other.wait('closed')
  expect(other.events.map(({ name }) => name)).toEqual(['snapshot', 'closed'])
  expect((await eventsOf(roomId))[0]).toMatchObject({
    event_type: 'participant.muted',
    payload: { participant_id: null, identity: visitor.identity, display_name: '一郎' },
  })
})
