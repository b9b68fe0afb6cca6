import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { GUEST_KINDS, type GuestKind } from '../../platform/ports/media.ts'
import { setGuestKinds } from '../../platform/tenants/guest-kinds.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { postNotification, signNotification } from '../../testing/provider-notification.ts'
import { reconcilePass } from '../../testing/reconcile-pass.ts'
import { useRecordedRooms } from '../../testing/recorded-rooms.ts'
import { webhooksOf } from '../../testing/recordings.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { applyNotificationsJob } from '../notifications/apply-notifications.job.ts'
import { findOpenConsents } from './find-consent.ts'
import { removeParticipantJob } from './remove-participant.job.ts'
import { updateMediaRights } from './update-media-rights.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)

const NAME = 'Note taker'
const WORDS = { agent: 'agent', sip: 'SIP', ingress: 'ingress', connector: 'connector' }

beforeEach(() => allow())
afterEach(() => plane.media.reset())

const allow = (...kinds: GuestKind[]) =>
  setGuestKinds(plane.database.db, { tenantId: plane.tenant.tenantId, kinds })
const pass = () => rooms.run(reconcilePass(plane.deps))

/** A room with a panelist who is inside, and a guest who has just connected. */
async function roomWithGuest(kind: GuestKind, name = NAME) {
  const { id: roomId } = await plane.book({ startsInMin: 1 })
  await plane.deps.media.ensureRoom({ name: roomId, emptyTimeoutSec: 60, metadata: {} })
  const identity = `guest-${randomUUID()}`
  const connection = plane.media.connect(roomId, identity, plane.now)
  connection.guest = { kind, name }
  const notify = async (event: string) => {
    const { sid, joinedAt } = connection
    const participant = {
      identity,
      sid,
      name,
      kind: kind.toUpperCase(),
      joinedAtMs: String(joinedAt.getTime()),
      permission: { canPublish: true, canSubscribe: true, agent: kind === 'agent' },
    }
    const room = { name: roomId }
    const body = JSON.stringify({ id: `EV_${randomUUID()}`, event, room, participant })
    expect(await postNotification(plane.app, body, await signNotification(plane.deps, body))).toBe(
      200,
    )
    await runJobs(plane.database.db, applyNotificationsJob(plane.deps))
  }
  return { roomId, identity, notify }
}

const connectionsOf = (roomId: string) =>
  plane.media.connections.get(roomId)?.map(({ identity }) => identity)

async function entriesOf(roomId: string) {
  const { data } = await plane.tenant.get(`/rooms/${roomId}/entry-histories`)
  return data.items
}

describe.each(GUEST_KINDS)('a participant of the kind %s', (kind) => {
  // contract: Notifications of the media provider › Agents, SIP, ingress and connector participants are
  //   removed unless the tenant allows the kind
  test('is removed by its notification', async () => {
    const { roomId, notify } = await roomWithGuest(kind)
    await notify('participant_joined')
    expect(connectionsOf(roomId)).toEqual([])
    expect(await entriesOf(roomId)).toEqual([])
  })

  test('is removed by the reconciler, also while it is joining', async () => {
    const { roomId } = await roomWithGuest(kind)
    const [connection] = plane.media.connections.get(roomId) ?? []
    if (connection !== undefined) connection.isActive = false
    await live.enter(roomId, 'observer')
    await pass()
    expect(connectionsOf(roomId)).toEqual([])
  })

  // contract: Webhook types › W1 participant.entered of a guest: role `panelist`, no id and no
  //   reference, the kind in the display name
  test('is a guest where the tenant allows the kind: in attendance, W1 and the roster', async () => {
    await allow(kind)
    const { roomId, identity, notify } = await roomWithGuest(kind)
    const moderator = await live.enter(roomId, 'moderator')
    const reader = await moderator.listen()
    await notify('participant_joined')
    await pass()
    const displayName = `${NAME} (${WORDS[kind]})`
    expect(connectionsOf(roomId)).toEqual([identity])
    expect(await entriesOf(roomId)).toMatchObject([
      { role: 'panelist', name: displayName, participant_id: null, left_at: null },
    ])
    expect(await webhooksOf(plane, `participant:${identity}`)).toMatchObject([
      {
        type: 'participant.entered',
        data: {
          participant: {
            id: null,
            role: 'panelist',
            display_name: displayName,
            external_type: null,
            external_id: null,
          },
        },
      },
    ])
    const { roster } = await reader.wait('roster', (seen) => seen.roster.length > 0)
    expect(roster).toMatchObject([
      {
        participant_id: null,
        identity,
        role: 'panelist',
        display_name: displayName,
        consents: { recording: 'not_asked', observation: 'not_asked' },
      },
    ])
    await notify('participant_left')
    expect(await entriesOf(roomId)).toMatchObject([{ left_at: expect.any(String) }])
  })
})

/** A room with a guest inside, and a moderator who acts on the guest. */
async function guestWithModerator() {
  await allow('sip')
  const room = await roomWithGuest('sip')
  await room.notify('participant_joined')
  const moderator = await live.enter(room.roomId, 'moderator')
  const act = (action: string, body?: object) =>
    moderator.post(`/participants/${encodeURIComponent(room.identity)}/${action}`, body)
  return { ...room, moderator, act }
}

describe('a guest', () => {
  test('of another kind than the allowed one is removed', async () => {
    await allow('sip')
    const { roomId, notify } = await roomWithGuest('agent')
    await notify('participant_joined')
    expect(connectionsOf(roomId)).toEqual([])
  })

  test('is removed when the tenant no longer allows the kind', async () => {
    await allow('sip')
    const { roomId, notify } = await roomWithGuest('sip')
    await notify('participant_joined')
    await allow()
    await pass()
    expect(connectionsOf(roomId)).toEqual([])
  })

  test('has no place of a person: a participant of the ordinary kind with its identity is removed', async () => {
    await allow('sip')
    const { roomId, identity, notify } = await roomWithGuest('sip')
    await notify('participant_joined')
    plane.media.disconnect(roomId, identity)
    plane.media.connect(roomId, identity, plane.now)
    await pass()
    expect(connectionsOf(roomId)).toEqual([])
  })

  test('without a name has its identity, and a long name is cut', async () => {
    await allow('sip')
    const nameless = await roomWithGuest('sip', '')
    await nameless.notify('participant_joined')
    expect(await entriesOf(nameless.roomId)).toMatchObject([{ name: `${nameless.identity} (SIP)` }])
    const long = await roomWithGuest('sip', 'x'.repeat(300))
    await long.notify('participant_joined')
    expect(await entriesOf(long.roomId)).toMatchObject([{ name: `${'x'.repeat(249)} (SIP)` }])
  })

  test('is asked for no consent, keeps its rights, and keeps nobody waiting', async () => {
    await allow('agent')
    const { db } = plane.database
    await db`update tenants set observation_consent = 'required' where id = ${plane.tenant.tenantId}`
    try {
      const { roomId, identity, notify } = await roomWithGuest('agent')
      await notify('participant_joined')
      expect(await findOpenConsents(db, roomId)).toEqual({ missing: [], refused: [] })
      const observer = await live.enter(roomId, 'observer')
      plane.media.connect(roomId, observer.participantId, plane.now)
      plane.media.calls.length = 0
      await updateMediaRights(plane.deps, roomId)
      expect(plane.media.calls).not.toContain(`updateRights ${identity}`)
      const [, connection] = plane.media.connections.get(roomId) ?? []
      expect(connection?.rights.mayReceive).toBe(true)
    } finally {
      await db`update tenants set observation_consent = 'informed' where id = ${plane.tenant.tenantId}`
    }
  })

  describe('in the hands of a moderator', () => {
    test('is muted, alone and with everyone', async () => {
      const { identity, moderator, act } = await guestWithModerator()
      expect((await act('mute')).status).toBe(200)
      const { data } = await moderator.post('/mute-all')
      expect(data.identities).toEqual([identity])
      const mutes = plane.media.calls.filter((call) => call === `muteMicrophone ${identity}`)
      expect(mutes).toHaveLength(2)
    })

    test('stands in the spotlight', async () => {
      const { identity, act } = await guestWithModerator()
      expect(await act('spotlight')).toMatchObject({ status: 200, data: { identity } })
    })

    test.each([
      ['removed', 'remove', undefined],
      ['banned', 'ban', { reason: 'noise' }],
    ])('is %s, and does not come back', async (_what, action, body) => {
      const { roomId, identity, act } = await guestWithModerator()
      expect((await act(action, body)).status).toBe(200)
      await vi.waitFor(() => expect(connectionsOf(roomId)).toEqual([]))
      await runJobs(plane.database.db, removeParticipantJob(plane.deps))
      expect(await entriesOf(roomId)).toMatchObject([{ left_at: expect.any(String) }])
      plane.media.connect(roomId, identity, plane.now).guest = { kind: 'sip', name: NAME }
      await pass()
      expect(connectionsOf(roomId)).toEqual([])
    })

    test('is allowed no screen, which the provider decides', async () => {
      const { act } = await guestWithModerator()
      expect((await act('screen/allow')).status).toBe(422)
    })

    test('is not found in another room', async () => {
      const { identity } = await guestWithModerator()
      const { moderator } = await guestWithModerator()
      const path = `/participants/${identity}/mute`
      expect(await moderator.post(path)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    })
  })
})
