import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { banParticipant } from '../../domain/people/ban-participant.ts'
import { removeParticipantJob } from '../../domain/people/remove-participant.job.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { hasLockWait } from '../../testing/lock-waits.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { waitFor } from '../../testing/wait-for.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

afterEach(() => {
  plane.media.isDown = false
  plane.media.onCall = undefined
})

async function newRoom(): Promise<string> {
  return (await plane.book({ startsInMin: 1 })).id
}

/** A room with a moderator and a panelist in it, both connected. */
async function occupied() {
  const roomId = await newRoom()
  const moderator = await live.enter(roomId, 'moderator')
  const panelist = await live.enter(roomId, 'panelist')
  for (const { participantId } of [moderator, panelist]) plane.media.connect(roomId, participantId)
  return { roomId, moderator, panelist }
}

const isInside = ({ roomId, participantId }: Guest) =>
  (plane.media.connections.get(roomId) ?? []).some(({ identity }) => identity === participantId)

const eventsOf = async (roomId: string) => [
  ...(await plane.database
    .db`select event_type, payload from room_events where room_id = ${roomId} order by seq`),
]

const NOT_ALLOWED = {
  status: 422,
  code: 'VALIDATION_ERROR',
  details: [['role', 'NOT_ALLOWED']],
}

const ban = (
  by: Guest,
  { participantId }: Pick<Guest, 'participantId'>,
  body: object = { reason: 'r' },
) => by.post(`/participants/${participantId}/ban`, body)

describe('POST /rooms/{room_id}/live/participants/{participant_id}/ban', () => {
  // contract: banFromInside › 200, `participant_id`, `status`, by moderator and operator, with its
  //   `reason`; removed immediately
  test.each(['moderator', 'platform_observer'] as const)(
    'by a %s bans permanently, and removes the person immediately',
    async (role) => {
      const { roomId, panelist } = await occupied()
      const by = await live.enter(roomId, role)
      const reader = await panelist.listen()
      const answer = await ban(by, panelist, { reason: '資料を\r\n撮影\u0007した' })
      expect(answer).toMatchObject({
        status: 200,
        data: { participant_id: panelist.participantId, status: 'banned' },
      })
      expect(await reader.wait('removed')).toEqual({ reason: 'banned' })
      await waitFor(reader.hasEnded)
      await waitFor(() => !isInside(panelist))
      expect(await eventsOf(roomId)).toEqual([
        {
          event_type: 'participant.banned',
          payload: {
            participant_id: panelist.participantId,
            reason: '資料を\r\n撮影した',
            by: by.participantId,
          },
        },
      ])
      expect(await panelist.post('/ticket')).toMatchObject({ code: 'PARTICIPANT_BANNED' })
    },
  )

  // contract: banFromInside › A repeat changes nothing
  test('a repeat changes nothing, and the first reason stays', async () => {
    const { roomId, moderator, panelist } = await occupied()
    await ban(moderator, panelist, { reason: 'first' })
    expect((await ban(moderator, panelist, { reason: 'second' })).status).toBe(200)
    const [event, ...more] = await eventsOf(roomId)
    expect(event?.['payload']).toMatchObject({ reason: 'first' })
    expect(more).toEqual([])
  })

  // contract: banFromInside › The provider is down
  test('holds while the provider is down, and a job puts the person out later', async () => {
    const { moderator, panelist } = await occupied()
    plane.media.isDown = true
    expect((await ban(moderator, panelist)).status).toBe(200)
    expect(isInside(panelist)).toBe(true)
    plane.media.isDown = false
    await runJobs(plane.database.db, removeParticipantJob(plane.deps))
    expect(isInside(panelist)).toBe(false)
  })

  // contract: banFromInside › 422 VALIDATION_ERROR of oneself
  test('of oneself is 422 NOT_ALLOWED', async () => {
    const { roomId, moderator } = await occupied()
    expect(await ban(moderator, moderator)).toMatchObject({
      ...NOT_ALLOWED,
      details: [['participant_id', 'NOT_ALLOWED']],
    })
    expect(await eventsOf(roomId)).toEqual([])
  })

  // contract: banFromInside › Two who ban each other
  test('bans one of two moderators who ban each other at the same time', async () => {
    const { roomId, moderator: one } = await occupied()
    const other = await live.enter(roomId, 'moderator')
    const answers = await Promise.all([ban(one, other), ban(other, one)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await eventsOf(roomId)).toHaveLength(1)
  })

  // contract: banFromInside › 422 VALIDATION_ERROR for other roles
  test.each(['panelist', 'observer'] as const)('by a %s is 422 NOT_ALLOWED', async (role) => {
    const { roomId, panelist } = await occupied()
    expect(await ban(await live.enter(roomId, role), panelist)).toMatchObject(NOT_ALLOWED)
    expect(await eventsOf(roomId)).toEqual([])
  })

  // contract: banFromInside › 400 INVALID_REQUEST
  test.each([
    [{}, 'reason', 'REQUIRED'],
    [{ reason: '' }, 'reason', 'TOO_SHORT'],
    [{ reason: '\u0001\u0007' }, 'reason', 'INVALID_FORMAT'],
    [{ reason: 'x'.repeat(256) }, 'reason', 'TOO_LONG'],
  ])('with %j is 400 INVALID_REQUEST', async (body, field, code) => {
    const { moderator, panelist } = await occupied()
    const refused = await ban(moderator, panelist, body)
    expect(refused).toMatchObject({ status: 400, details: [[field, code]] })
  })

  // contract: banFromInside › Other tenant or room: 404 NOT_FOUND
  test('of somebody in another room, or of another tenant, is 404 like an unknown one', async () => {
    const { roomId, moderator } = await occupied()
    const elsewhere = await live.enter(await newRoom(), 'panelist')
    const answers = await Promise.all(
      [elsewhere.participantId, randomUUID(), 'no-id'].map((participantId) =>
        ban(moderator, { participantId }),
      ),
    )
    for (const { status, text } of answers) {
      expect({ status, text }).toEqual({ status: 404, text: answers[0]?.text })
    }
    expect(await eventsOf(roomId)).toEqual([])
  })
})

const mute = (by: Guest, { participantId }: Pick<Guest, 'participantId'>) =>
  by.post(`/participants/${participantId}/mute`)

/** The mute events published in the room. */
async function publishedIn(roomId: string): Promise<unknown[]> {
  const events = await plane.database.db`
    select name from live_events where room_id = ${roomId} and name = 'mute_requested'
  `
  return events.map(({ name }) => name)
}

describe('POST /rooms/{room_id}/live/participants/{participant_id}/mute', () => {
  // contract: muteParticipant › 200, `participant_id`, `status`; the page of that person is asked,
  //   the provider mutes
  test('asks the page of that person only, and mutes at the media provider', async () => {
    const { roomId, moderator, panelist } = await occupied()
    const others = [moderator, await live.enter(roomId, 'panelist')]
    const readers = await Promise.all(others.map((guest) => guest.listen()))
    const reader = await panelist.listen()
    await Promise.all([...readers, reader].map((each) => each.wait('snapshot')))
    expect(await mute(moderator, panelist)).toMatchObject({
      status: 200,
      data: { participant_id: panelist.participantId, status: 'mute_requested' },
    })
    expect(await reader.wait('mute_requested')).toEqual({})
    expect(plane.media.calls).toContain(`muteMicrophone ${panelist.participantId}`)
    await plane.tenant.delete(`/rooms/${roomId}/chat-messages?visibility=public`)
    for (const other of readers) {
      await other.wait('messages_purged')
      expect(other.events.map(({ name }) => name)).not.toContain('mute_requested')
    }
    const [event] = await eventsOf(roomId)
    expect(event).toEqual({
      event_type: 'participant.muted',
      payload: { participant_id: panelist.participantId, by: moderator.participantId },
    })
  })

  // contract: muteParticipant › The person may unmute immediately: the provider mutes before the page
  //   is notified
  test('mutes at the media provider before it publishes the request, and not after it', async () => {
    const { roomId, moderator, panelist } = await occupied()
    const reader = await panelist.listen()
    await reader.wait('snapshot')
    const published: unknown[] = []
    plane.media.onCall = async (call) => {
      published.push(call, ...(await publishedIn(roomId)))
    }
    expect((await mute(moderator, panelist)).status).toBe(200)
    await reader.wait('mute_requested')
    expect(published).toEqual([`muteMicrophone ${panelist.participantId}`])
    expect(await publishedIn(roomId)).toEqual(['mute_requested'])
  })

  // contract: muteParticipant › The provider is down
  test('asks the page even while the provider is down', async () => {
    const { moderator, panelist } = await occupied()
    const reader = await panelist.listen()
    plane.media.isDown = true
    expect((await mute(moderator, panelist)).status).toBe(200)
    await reader.wait('mute_requested')
  })

  // contract: muteParticipant › 422 VALIDATION_ERROR for a person without a microphone
  test('of an observer, who has no microphone, is 422 NOT_ALLOWED', async () => {
    const { roomId, moderator } = await occupied()
    for (const role of ['observer', 'platform_observer'] as const) {
      expect(await mute(moderator, await live.enter(roomId, role))).toMatchObject({
        ...NOT_ALLOWED,
        details: [['participant_id', 'NOT_ALLOWED']],
      })
    }
  })

  // contract: muteParticipant › 422 VALIDATION_ERROR for other roles
  test.each(['panelist', 'observer', 'platform_observer'] as const)(
    'by a %s is 422 NOT_ALLOWED',
    async (role) => {
      const { roomId, panelist } = await occupied()
      expect(await mute(await live.enter(roomId, role), panelist)).toMatchObject(NOT_ALLOWED)
      expect(await eventsOf(roomId)).toEqual([])
    },
  )

  // contract: muteParticipant › Other tenant or room: 404 NOT_FOUND
  test('of somebody in another room, or of another tenant, is 404 like an unknown one', async () => {
    const { moderator } = await occupied()
    const elsewhere = await live.enter(await newRoom(), 'panelist')
    const answers = await Promise.all(
      [elsewhere.participantId, randomUUID(), 'no-id'].map((participantId) =>
        mute(moderator, { participantId }),
      ),
    )
    for (const { status, text } of answers) {
      expect({ status, text }).toEqual({ status: 404, text: answers[0]?.text })
    }
  })
})

describe('POST /rooms/{room_id}/live/close', () => {
  // contract: closeFromInside › 200, `status`, with its `reason`
  test('closes the room for everybody', async () => {
    const { roomId, moderator, panelist } = await occupied()
    const observer = await live.enter(roomId, 'observer')
    const readers = await Promise.all([panelist, observer].map((guest) => guest.listen()))
    expect(await moderator.post('/close', { reason: '終\n了\u0001' })).toMatchObject({
      status: 200,
      data: { status: 'closed' },
    })
    for (const reader of readers) {
      expect(await reader.wait('closed')).toEqual({ reason: 'room_closed' })
      await waitFor(reader.hasEnded)
    }
    expect(plane.media.rooms.has(roomId)).toBe(false)
    expect(await eventsOf(roomId)).toEqual([
      { event_type: 'room.closed', payload: { reason: '終\n了', by: moderator.participantId } },
    ])
    expect((await plane.tenant.get(`/rooms/${roomId}`)).data.status).toBe('closed')
  })

  // contract: closeFromInside › `reason` and body are optional
  test('needs no reason, and no body', async () => {
    const { roomId, moderator } = await occupied()
    expect((await moderator.post('/close')).status).toBe(200)
    expect(await eventsOf(roomId)).toEqual([
      { event_type: 'room.closed', payload: { reason: null, by: moderator.participantId } },
    ])
  })

  // contract: closeFromInside › Two concurrent requests
  test('two concurrent requests close the room once', async () => {
    const { roomId, moderator } = await occupied()
    const other = await live.enter(roomId, 'moderator')
    const answers = await Promise.all([moderator, other].map((each) => each.post('/close')))
    expect(answers.map(({ status }) => status)).toContain(200)
    expect(await eventsOf(roomId)).toHaveLength(1)
  })

  // contract: closeFromInside › 409 PARTICIPANT_BANNED for somebody who is banned meanwhile
  test('that waits for the ban of its own moderator is refused, and the room stays open', async () => {
    const { roomId } = await occupied()
    const banned = await live.enter(roomId, 'moderator')
    const { participantId } = banned
    const { tenantId } = plane.tenant
    const { db } = plane.database
    const closing = await inTransaction(db, async (tx) => {
      await banParticipant(tx, { tenantId, roomId, participantId, reason: 'r' }, plane.deps.clock)
      const answer = banned.post('/close')
      await waitFor(() => hasLockWait(db))
      return { answer }
    })
    expect(await closing.answer).toMatchObject({ status: 409, code: 'PARTICIPANT_BANNED' })
    expect((await plane.tenant.get(`/rooms/${roomId}`)).data.status).toBe('open')
  })

  // contract: closeFromInside › 422 VALIDATION_ERROR for other roles
  test.each(['panelist', 'observer', 'platform_observer'] as const)(
    'by a %s is 422 NOT_ALLOWED',
    async (role) => {
      const { roomId } = await occupied()
      expect(await (await live.enter(roomId, role)).post('/close')).toMatchObject(NOT_ALLOWED)
      expect((await plane.tenant.get(`/rooms/${roomId}`)).data.status).toBe('open')
    },
  )

  // contract: closeFromInside › 400 INVALID_REQUEST
  test('with a reason that is too long is 400 INVALID_REQUEST', async () => {
    const { moderator } = await occupied()
    const refused = await moderator.post('/close', { reason: 'x'.repeat(1001) })
    expect(refused).toMatchObject({ status: 400, details: [['reason', 'TOO_LONG']] })
  })
})
