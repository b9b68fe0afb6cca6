import { type LiveTextAudience, ROLES } from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import { setLiveText } from '../../platform/tenants/live-text.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { takeSnapshot } from './snapshot.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

async function publishedRoomEvents(guest: Guest) {
  const reader = await guest.listen()
  const { facts } = await reader.wait('snapshot')
  return facts.map(({ type, payload }) => [type, payload?.['note'] ?? null])
}

async function note(guest: Guest, type: string, text?: string): Promise<void> {
  const body = { event_type: type, ...(text !== undefined && { payload: { note: text } }) }
  expect((await guest.post('/events', body)).status).toBe(201)
}

describe('the snapshot of a late reader', () => {
  // contract: streamRoom › `facts` of before, to each role what it may know
  test('contains the earlier events that each role may see', async () => {
    const { id: roomId } = await plane.book({ startsInMin: 1 })
    const moderator = await live.enter(roomId, 'moderator')
    const panelist = await live.enter(roomId, 'panelist')
    const observer = await live.enter(roomId, 'observer')
    await note(panelist, 'consent.given')
    await note(observer, 'marker', 'good quote')
    await note(panelist, 'hand.raised')
    await note(observer, 'help.requested')

    const consent = ['consent.given', null]
    const marker = ['marker', 'good quote']
    const hand = ['hand.raised', null]
    const help = ['help.requested', null]
    const late = await live.enter(roomId, 'platform_observer')
    expect(await publishedRoomEvents(moderator)).toEqual([consent, marker, hand, help])
    expect(await publishedRoomEvents(late)).toEqual([consent, marker, hand, help])
    // Observers do not see calls for help.
    expect(await publishedRoomEvents(observer)).toEqual([consent, marker, hand])
    expect(await publishedRoomEvents(panelist)).toEqual([])
  })

  test('contains the same data as the event', async () => {
    const { id: roomId } = await plane.book({ startsInMin: 1 })
    const moderator = await live.enter(roomId, 'moderator')
    const before = await moderator.listen()
    await before.wait('snapshot')
    await note(moderator, 'marker', 'here')
    const published = await before.wait('fact')
    const { facts } = await (await moderator.listen()).wait('snapshot')
    expect(facts).toEqual([published])
  })

  test('contains only the newest 200', async () => {
    const { id: roomId } = await plane.book({ startsInMin: 1 })
    const moderator = await live.enter(roomId, 'moderator')
    await note(moderator, 'marker', 'the last one')
    await plane.database.db`
      insert into room_events (tenant_id, room_id, seq, event_type, payload, created_at)
      select tenant_id, room_id, -turn, event_type, payload, created_at
        from room_events, generate_series(1, 250) turn
       where room_id = ${roomId}
    `
    const { facts } = await (await moderator.listen()).wait('snapshot')
    expect(facts).toHaveLength(200)
    expect(facts.at(-1)?.payload).toEqual({ note: 'the last one' })
  })

  // contract: streamRoom › `slot` and `recording`
  test('contains the times of the slot, and whether it is being recorded', async () => {
    const room = await plane.book({ startsInMin: 1 })
    const panelist = await live.enter(room.id, 'panelist')
    const { slot, recording } = await (await panelist.listen()).wait('snapshot')
    expect(slot).toEqual({
      starts_at: room.session.starts_at,
      ends_at: room.session.ends_at,
      closes_at: new Date(Date.parse(room.session.ends_at) + 30 * 60_000).toISOString(),
    })
    expect(recording).toBe(null)
  })
})

// contract: streamRoom › `has_live_text` by the audience and the role
test('a snapshot says if its reader may read what is said', async () => {
  const { tenantId } = plane.tenant
  const read = async (audience: LiveTextAudience) => {
    await setLiveText(plane.database.db, { tenantId, audience })
    const { id } = await plane.book({ startsInMin: 1 })
    const seen = ROLES.map(async (role) => {
      const { has_live_text } = await (await (await live.enter(id, role)).listen()).wait('snapshot')
      return [role, has_live_text]
    })
    return Object.fromEntries(await Promise.all(seen)) as unknown
  }
  const staff = { moderator: true, observer: true, platform_observer: true }
  expect(await read('everyone')).toEqual({ ...staff, panelist: true })
  expect(await read('staff')).toEqual({ ...staff, panelist: false })
  expect(await read('off')).toEqual(Object.fromEntries(ROLES.map((role) => [role, false])))
})

// contract: streamRoom › `window` when the slot is moved
test('a moved slot is published with all of its times', async () => {
  const room = await plane.book({ startsInMin: 1 })
  const panelist = await live.enter(room.id, 'panelist')
  const reader = await panelist.listen()
  const { slot } = await reader.wait('snapshot')
  const endsAt = new Date(Date.parse(room.session.ends_at) + 20 * 60_000).toISOString()
  await plane.tenant.patch(`/sessions/${room.session.id}`, { ends_at: endsAt })
  expect(await reader.wait('window')).toEqual({
    ...slot,
    ends_at: endsAt,
    closes_at: new Date(Date.parse(endsAt) + 30 * 60_000).toISOString(),
  })
})

/** The ticket of the newest entry of this guest. */
async function holderOf({ roomId, role, participantId }: Guest) {
  const [admission] = await plane.database.db<{ id: string }[]>`
    select id from admissions
     where room_id = ${roomId} and participant_id = ${participantId}
     order by id desc
     limit 1
  `
  const admissionId = String(admission?.id)
  return { roomId, role, participantId, admissionId, mediaIdentity: participantId }
}

describe('a stream that is opened while its reader is removed', () => {
  const TWICE = { external_type: 'User', external_id: 'opened-twice' }
  const REMOVALS: [string, string, (moderator: Guest, panelist: Guest) => Promise<unknown>][] = [
    [
      'a ban',
      'PARTICIPANT_BANNED',
      (by, { participantId }) => by.post(`/participants/${participantId}/ban`, { reason: 'x' }),
    ],
    [
      'a removal',
      'UNAUTHORIZED',
      (by, { participantId }) => by.post(`/participants/${participantId}/remove`),
    ],
    ['a close', 'SESSION_RELEASED', (by) => by.post('/close')],
    [
      'a newer entry',
      'UNAUTHORIZED',
      (_by, { roomId, role }) => live.enter(roomId, role, { participant: TWICE }),
    ],
  ]
  // contract: streamRoom › Nothing follows a ban, a removal or a close, also one in between
  test.each(REMOVALS)('gets no snapshot from after %s', async (_what, code, remove) => {
    const { id: roomId } = await plane.book({ startsInMin: 1 })
    const moderator = await live.enter(roomId, 'moderator')
    const panelist = await live.enter(roomId, 'panelist', { participant: TWICE })
    const holder = await holderOf(panelist)
    await remove(moderator, panelist)
    await expect(takeSnapshot(plane.deps, holder)).rejects.toMatchObject({ code })
  })
})
