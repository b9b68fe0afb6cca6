import {
  POSTED_EVENT_AUDIENCE,
  POSTED_EVENT_TYPES,
  POSTED_EVENTS_PER_MINUTE,
} from '@interview-room/contract/live-moderation.ts'
import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/db.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { connectMedia } from '../../testing/entries.ts'
import { type Guest, type LiveReader, openReader, useLiveRooms } from '../../testing/live-room.ts'
import { hasLockWait } from '../../testing/lock-waits.ts'
import { addRecording } from '../../testing/recordings.ts'
import { toAnswer } from '../../testing/tenant-client.ts'
import { waitFor } from '../../testing/wait-for.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const newRoom = async (): Promise<string> => (await plane.book({ startsInMin: 1 })).id

const eventsOf = async (roomId: string) => [
  ...(await plane.database
    .db`select event_type, payload from room_events where room_id = ${roomId} order by seq`),
]

/** One of each role, who listens. */
async function company(roomId: string) {
  const entries = await Promise.all(
    ROLES.map(async (role) => {
      const guest = await live.enter(roomId, role, { name: `name of ${role}` })
      const reader = await guest.listen()
      await reader.wait('snapshot')
      return [role, { guest, reader }] as const
    }),
  )
  return Object.fromEntries(entries) as Record<Role, { guest: Guest; reader: LiveReader }>
}

/** Everything before it has arrived when this has, which is published to everybody. */
async function settle(roomId: string, readers: readonly LiveReader[]): Promise<void> {
  await plane.tenant.delete(`/rooms/${roomId}/chat-messages?visibility=public`)
  await Promise.all(readers.map((reader) => reader.wait('messages_purged')))
}

const send = (guest: Guest, event_type: string, payload?: object) =>
  guest.post('/events', { event_type, ...(payload !== undefined && { payload }) })

/** Inserts the room's newest event as often as a minute allows. */
async function fillMinute(roomId: string): Promise<void> {
  await plane.database.db`
    insert into room_events (tenant_id, room_id, seq, event_type, payload, created_at)
    select tenant_id, room_id, -turn, event_type, payload, statement_timestamp()
      from room_events, generate_series(1, ${POSTED_EVENTS_PER_MINUTE}) turn
     where room_id = ${roomId} and seq > 0
  `
}

describe('POST /rooms/{room_id}/live/events', () => {
  // contract: postRoomEvent › `event_type`: sent and received by those who may; 422 VALIDATION_ERROR for
  //   other roles
  test.each(POSTED_EVENT_TYPES)(
    'of %s is sent and received by exactly those who may',
    async (type) => {
      const roomId = await newRoom()
      const people = await company(roomId)
      const { senders, receivers }: { senders: readonly Role[]; receivers: readonly Role[] } =
        POSTED_EVENT_AUDIENCE[type]
      const answers = await Promise.all(ROLES.map((role) => send(people[role].guest, type)))
      expect(answers.map(({ status, details }) => [status, details])).toEqual(
        ROLES.map((role) =>
          senders.includes(role) ? [201, undefined] : [422, [['event_type', 'NOT_ALLOWED']]],
        ),
      )
      await settle(
        roomId,
        ROLES.map((role) => people[role].reader),
      )
      for (const role of ROLES) {
        const published = people[role].reader.events.filter(({ name }) => name === 'fact')
        const known = receivers.includes(role) ? senders : []
        expect(new Set(published.map(({ data }) => data.participant_id))).toEqual(
          new Set(known.map((sender) => people[sender].guest.participantId)),
        )
        expect(published).toHaveLength(known.length)
      }
    },
  )

  test.each(['consent.given', 'consent.declined', 'consent.withdrawn'])(
    'of %s is taken from those who are asked alone',
    async (type) => {
      const people = await company(await newRoom())
      const refused = { status: 422, details: [['event_type', 'NOT_ALLOWED']] }
      for (const role of ROLES) {
        const answer = await send(people[role].guest, type)
        expect(answer).toMatchObject(role === 'panelist' ? { status: 201 } : refused)
      }
    },
  )

  // contract: postRoomEvent › 201, `type`, `participant_id`, `identity`, `display_name`, `payload`,
  //   `created_at`; kept as RoomEvent
  test('stores a RoomEvent, and returns the published event', async () => {
    const roomId = await newRoom()
    const moderator = await live.enter(roomId, 'moderator', { name: '司会' })
    const reader = await moderator.listen()
    const { status, data } = await send(moderator, 'marker', { note: '味の話' })
    expect(status).toBe(201)
    expect(data).toEqual({
      type: 'marker',
      participant_id: moderator.participantId,
      identity: moderator.participantId,
      display_name: '司会',
      payload: { note: '味の話' },
      created_at: expect.any(String),
    })
    expect(await reader.wait('fact')).toEqual(data)
    const { data: log } = await plane.tenant.get(`/rooms/${roomId}/room-events`)
    expect(log.items).toEqual([
      {
        id: expect.any(Number),
        room_id: roomId,
        event_type: 'marker',
        payload: {
          participant_id: moderator.participantId,
          identity: moderator.participantId,
          display_name: '司会',
          note: '味の話',
        },
        created_at: data.created_at,
      },
    ])
  })

  // contract: postRoomEvent › A panelist learns nothing of what is not for panelists
  test('publishes no markers, calls for help, consents or observers to a panelist', async () => {
    const roomId = await newRoom()
    const people = await company(roomId)
    const { moderator, observer, platform_observer: operator, panelist } = people
    const other = await live.enter(roomId, 'panelist', { name: 'another panelist' })
    const positions = () => panelist.reader.events.length
    const before = positions()
    await send(observer.guest, 'marker', { note: 'secret note' })
    await send(operator.guest, 'marker', { note: 'secret note' })
    await send(moderator.guest, 'marker', { note: 'secret note' })
    await send(observer.guest, 'help.requested', { note: 'secret note' })
    await send(moderator.guest, 'help.requested', { note: 'secret note' })
    await send(other, 'help.requested', { note: 'secret note' })
    await send(other, 'consent.given')
    await settle(roomId, [panelist.reader, operator.reader])
    expect(operator.reader.events.filter(({ name }) => name === 'fact')).toHaveLength(7)
    // Only what closes the test.
    expect(panelist.reader.events.slice(before).map(({ name }) => name)).toEqual([
      'messages_purged',
    ])
    const late = await other.listen()
    await late.wait('snapshot')
    for (const raw of [panelist.reader.raw(), late.raw()]) {
      for (const word of ['secret', 'marker', 'help', 'consent', 'observer']) {
        expect(raw).not.toContain(word)
      }
      expect(raw).not.toContain(observer.guest.participantId)
      expect(raw).not.toContain(operator.guest.participantId)
    }
  })

  // contract: postRoomEvent › hand.raised and hand.lowered in the roster
  test('raises and lowers a hand in the roster of everybody', async () => {
    const roomId = await newRoom()
    const panelist = await live.enter(roomId, 'panelist')
    const other = await live.enter(roomId, 'panelist')
    await connectMedia(plane, { roomId, identity: panelist.participantId })
    const reader = await other.listen()
    const isRaised = (is: boolean) =>
      reader.wait('roster', ({ roster }) => roster[0]?.has_hand_raised === is)
    await send(panelist, 'hand.raised')
    await isRaised(true)
    expect((await (await other.listen()).wait('snapshot')).roster).toMatchObject([
      { participant_id: panelist.participantId, has_hand_raised: true },
    ])
    await send(panelist, 'hand.lowered')
    await isRaised(false)
  })

  // contract: postRoomEvent › hand.raised and hand.lowered on the simple route
  test('raises the hand of the right person, also on the simple route', async () => {
    const { id: roomId, session } = await plane.book({ startsInMin: 1 })
    const { data } = await plane.tenant.get(`/sessions/${session.id}`)
    const guests = await Promise.all(
      ['一郎', '二郎'].map((name) => enterSimply(roomId, { name, accessToken: data.access_token })),
    )
    for (const { identity } of guests) await connectMedia(plane, { roomId, identity })
    const [first] = guests
    const answer = await first!.post('/events', { event_type: 'hand.raised' })
    expect(answer).toMatchObject({
      status: 201,
      data: { participant_id: null, identity: first!.identity, display_name: '一郎' },
    })
    const reader = await openReader(`${live.origin}/api/v1/rooms/${roomId}/live/stream`, {
      authorization: `Bearer ${first!.ticket}`,
    })
    const { roster } = await reader.wait('snapshot')
    reader.close()
    expect(roster.map((person) => [person.display_name, person.has_hand_raised])).toEqual([
      ['一郎', true],
      ['二郎', false],
    ])
  })

  // contract: postRoomEvent › 429 RATE_LIMIT_EXCEEDED behind 60 a minute
  // contract: Error codes › 429 RATE_LIMIT_EXCEEDED
  test('takes 60 a minute of one person, and refuses more with 429 and Retry-After', async () => {
    const roomId = await newRoom()
    const [one, other] = [
      await live.enter(roomId, 'moderator'),
      await live.enter(roomId, 'observer'),
    ]
    const answers = await Promise.all(
      Array.from({ length: POSTED_EVENTS_PER_MINUTE + 5 }, () => send(one, 'marker')),
    )
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(5)
    for (const { status, code, headers } of refused) {
      expect({ status, code }).toEqual({ status: 429, code: 'RATE_LIMIT_EXCEEDED' })
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
    }
    expect(await eventsOf(roomId)).toHaveLength(POSTED_EVENTS_PER_MINUTE)
    expect((await send(other, 'marker')).status).toBe(201)
    // A minute later, for the service and for the database.
    plane.now = new Date(plane.now.getTime() + 60_000)
    await plane.database.db`
      update room_events set created_at = created_at - interval '1 minute' where room_id = ${roomId}
    `
    expect((await send(one, 'marker')).status).toBe(201)
  })

  // contract: postRoomEvent › Answers about consent have 60 a minute of their own
  test('takes a withdrawal from a person who has sent too many other events', async () => {
    const roomId = await newRoom()
    const panelist = await live.enter(roomId, 'panelist')
    expect((await send(panelist, 'hand.raised')).status).toBe(201)
    await fillMinute(roomId)
    expect((await send(panelist, 'hand.lowered')).status).toBe(429)
    expect((await send(panelist, 'consent.given')).status).toBe(201)
    expect((await send(panelist, 'consent.withdrawn')).status).toBe(201)
    expect((await send(panelist, 'hand.lowered')).status).toBe(429)
  })

  test('refuses too many answers about consent, and takes other events from the same person', async () => {
    const roomId = await newRoom()
    const panelist = await live.enter(roomId, 'panelist')
    expect((await send(panelist, 'consent.given')).status).toBe(201)
    await fillMinute(roomId)
    expect((await send(panelist, 'consent.given')).status).toBe(429)
    expect((await send(panelist, 'hand.raised')).status).toBe(201)
  })

  // contract: postRoomEvent › Beside a close
  test('that waits for a close is refused, and not stored', async () => {
    const roomId = await newRoom()
    const moderator = await live.enter(roomId, 'moderator')
    let sent: ReturnType<typeof send> | undefined
    await inTransaction(plane.database.db, async (tx) => {
      await tx`select 1 from rooms where id = ${roomId} for update`
      sent = send(moderator, 'marker')
      await waitFor(() => hasLockWait(plane.database.db))
      await tx`update rooms set closed_at = ${plane.now} where id = ${roomId}`
    })
    expect(await sent).toMatchObject({ status: 409, code: 'SESSION_RELEASED' })
    expect(await eventsOf(roomId)).toEqual([])
  })

  // contract: postRoomEvent › 400 INVALID_REQUEST, `payload.note` (`note`) among it
  test.each([
    [{}, 'event_type', 'REQUIRED'],
    [{ event_type: 'recording.failed' }, 'event_type', 'INVALID_ENUM'],
    [{ event_type: 'marker', payload: { text: 'x' } }, 'payload.text', 'UNKNOWN_FIELD'],
    [{ event_type: 'marker', payload: { note: '' } }, 'payload.note', 'TOO_SHORT'],
    [{ event_type: 'marker', payload: { note: 'x'.repeat(256) } }, 'payload.note', 'TOO_LONG'],
    [{ event_type: 'marker', payload: { note: 'two\nlines' } }, 'payload.note', 'INVALID_FORMAT'],
    [{ event_type: 'marker', at: 1 }, 'at', 'UNKNOWN_FIELD'],
  ])('with %j is 400 INVALID_REQUEST', async (body, field, code) => {
    const moderator = await live.enter(await newRoom(), 'moderator')
    const refused = await moderator.post('/events', body)
    expect(refused).toMatchObject({ status: 400, details: [[field, code]] })
  })
})

describe('consent', () => {
  const claims = { participant: { external_type: 'User', external_id: 'returning' } }
  const asking = async (roomId: string, role: Role = 'panelist') => {
    const token = await live.acting.signToken({ roomId, role, ...claims })
    const { data } = toAnswer(
      await plane.app.inject({
        method: 'POST',
        url: `/api/v1/rooms/${roomId}/live/entry`,
        headers: { authorization: `Bearer ${token}` },
      }),
    )
    return { consent: data.consent, ...data.room }
  }

  // contract: enterRoom › `consent`: the last answer of a person who comes back
  test('returns the last answer at the next entry of the same person', async () => {
    const roomId = await newRoom()
    expect((await asking(roomId)).consent).toBeNull()
    await send(await live.enter(roomId, 'panelist', claims), 'consent.declined')
    expect((await asking(roomId)).consent).toBe('declined')
    await send(await live.enter(roomId, 'panelist', claims), 'consent.given')
    expect((await asking(roomId)).consent).toBe('given')
    await send(await live.enter(roomId, 'panelist', claims), 'consent.withdrawn')
    expect((await asking(roomId)).consent).toBe('declined')
  })

  test('of one person says nothing of another, nor of another room', async () => {
    const [roomId, elsewhere] = [await newRoom(), await newRoom()]
    await send(await live.enter(roomId, 'panelist'), 'consent.given')
    expect((await asking(roomId)).consent).toBeNull()
    await send(await live.enter(roomId, 'panelist', claims), 'consent.given')
    expect((await asking(elsewhere)).consent).toBeNull()
  })

  // contract: enterRoom › `is_recorded`: always, or right now; `recording_consent`: `required` or
  //   `optional`
  test('is needed if the room is recorded always, or right now', async () => {
    const roomId = await newRoom()
    expect(await asking(roomId)).toMatchObject({ is_recorded: true, recording_consent: 'required' })
    await plane.database.db`update rooms set archive_mode = 'manual' where id = ${roomId}`
    expect(await asking(roomId)).toMatchObject({
      is_recorded: false,
      recording_consent: 'optional',
    })
    await addRecording(plane, roomId, { status: 'available' })
    expect((await asking(roomId)).is_recorded).toBe(false)
    await addRecording(plane, roomId, { status: 'paused' })
    expect((await asking(roomId)).is_recorded).toBe(true)
  })
})

async function enterSimply(
  roomId: string,
  { name, accessToken }: { name: string; accessToken: string },
) {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
    toAnswer(
      await plane.app.inject({
        method: 'POST',
        url: `/api/v1/rooms/${roomId}/live${path}`,
        headers,
        payload: body,
      }),
    )
  const { data } = await post('/entry', { access_token: accessToken, name })
  const { ticket } = data
  const [admission] = await plane.database.db<{ identity: string }[]>`
    select media_identity as identity from admissions
     where room_id = ${roomId} and display_name = ${name}
  `
  const headers = { authorization: `Bearer ${ticket}` }
  return {
    ticket: String(ticket),
    identity: admission?.identity ?? '',
    post: (path: string, body: object) => post(path, body, headers),
  }
}
