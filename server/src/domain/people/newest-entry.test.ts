import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/db.ts'
import { MediaError } from '../../platform/ports/media.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { connectMedia } from '../../testing/entries.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { openEntry } from './open-entry.ts'
import { removeParticipantJob } from './remove-participant.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const ONE_PERSON = { participant: { external_type: 'User', external_id: 'twice' } }
const ELSEWHERE = 'Bearer error="invalid_token", error_description="opened elsewhere"'

const bookRoom = async (): Promise<string> => (await plane.book({ startsInMin: 1 })).id

describe('a person who enters twice', () => {
  // contract: streamRoom › `removed` for the older of two pages of one person
  test('is published only to the older page, even if its media never connected', async () => {
    const roomId = await bookRoom()
    const other = await live.enter(roomId, 'moderator')
    const older = await live.enter(roomId, 'panelist', ONE_PERSON)
    const [beside, before] = await Promise.all([other.listen(), older.listen()])
    await before.wait('snapshot')
    const newer = await live.enter(roomId, 'panelist', ONE_PERSON)
    const after = await newer.listen()

    expect(newer.participantId).toBe(older.participantId)
    expect(await before.wait('removed')).toEqual({ reason: 'opened_elsewhere' })
    await waitFor(before.hasEnded)
    expect((await newer.post('/events', { event_type: 'hand.raised' })).status).toBe(201)
    await beside.wait('roster')
    await after.wait('roster')
    for (const reader of [beside, after]) {
      expect(reader.events.map(({ name }) => name)).not.toContain('removed')
      expect(reader.hasEnded()).toBe(false)
    }
  })

  // contract: renewTicket › 401 UNAUTHORIZED once the person has entered again; the challenge names
  //   that
  test('has one valid ticket: the older one is 401 and names the reason', async () => {
    const roomId = await bookRoom()
    const older = await live.enter(roomId, 'panelist', ONE_PERSON)
    const newer = await live.enter(roomId, 'panelist', ONE_PERSON)
    const refused = await older.post('/ticket')
    expect(refused).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect(refused.headers['www-authenticate']).toBe(ELSEWHERE)
    expect((await older.post('/events', { event_type: 'hand.raised' })).status).toBe(401)
    await expect(older.listen()).rejects.toThrow('UNAUTHORIZED')
    expect((await newer.post('/ticket')).status).toBe(201)
  })

  // contract: enterRoom › The newest entry ends the older media connection, in the same role, too
  test('has one media connection: the older one ends at the entry, before the newer page connects', async () => {
    const { roomId, observer } = await enterAsObserver()
    const newer = await live.enter(roomId, 'observer', ONE_PERSON)
    expect(newer.participantId).toBe(observer.participantId)
    expect(plane.media.connections.get(roomId)).toEqual([])
    plane.media.connect(roomId, newer.participantId, plane.now)
    await runJobs(plane.database.db, removeParticipantJob(plane.deps))
    expect(plane.media.connections.get(roomId)).toHaveLength(1)
  })

  describe('while the provider refuses to end the older connection', () => {
    test('has it until a job ends it, and its entry', async () => {
      const { roomId } = await enterAgainUnended()
      await runJobs(plane.database.db, removeParticipantJob(plane.deps))
      expect(plane.media.connections.get(roomId)).toEqual([])
      const { data } = await plane.tenant.get(`/rooms/${roomId}/entry-histories`)
      expect(data.items).toMatchObject([{ role: 'observer', left_at: expect.any(String) }])
    })

    test('keeps the connection of the newer page, which has replaced it meanwhile', async () => {
      const { roomId, participantId } = await enterAgainUnended()
      plane.media.disconnect(roomId, participantId)
      const { sid } = plane.media.connect(roomId, participantId, plane.now)
      await runJobs(plane.database.db, removeParticipantJob(plane.deps))
      expect(plane.media.connections.get(roomId)).toMatchObject([{ sid }])
    })
  })

  test('takes the room back by entering again', async () => {
    const roomId = await bookRoom()
    await live.enter(roomId, 'observer', ONE_PERSON)
    const second = await live.enter(roomId, 'observer', ONE_PERSON)
    const reader = await second.listen()
    await reader.wait('snapshot')
    const third = await live.enter(roomId, 'observer', ONE_PERSON)
    expect(await reader.wait('removed')).toEqual({ reason: 'opened_elsewhere' })
    expect((await third.post('/ticket')).status).toBe(201)
  })

  test('is notified of a ban, and not of the other page', async () => {
    const roomId = await bookRoom()
    const moderator = await live.enter(roomId, 'moderator')
    const older = await live.enter(roomId, 'panelist', ONE_PERSON)
    await live.enter(roomId, 'panelist', ONE_PERSON)
    await moderator.post(`/participants/${older.participantId}/ban`, { reason: 'r' })
    expect(await older.post('/ticket')).toMatchObject({ status: 409, code: 'PARTICIPANT_BANNED' })
  })
})

/** An observer who is in the media room. */
async function enterAsObserver() {
  const roomId = await bookRoom()
  const observer = await live.enter(roomId, 'observer', ONE_PERSON)
  const { sid: mediaSid } = plane.media.connect(roomId, observer.participantId, plane.now)
  await connectMedia(plane, { roomId, identity: observer.participantId, mediaSid })
  return { roomId, observer }
}

/** A person who has entered again, while the provider refused to end the older connection. */
async function enterAgainUnended() {
  const { roomId } = await enterAsObserver()
  plane.media.onCall = (call) => {
    if (call.startsWith('removeConnection')) throw new MediaError('refused')
  }
  const { participantId } = await live.enter(roomId, 'observer', ONE_PERSON)
  plane.media.onCall = undefined
  expect(plane.media.connections.get(roomId)).toHaveLength(1)
  return { roomId, participantId }
}

describe('a person who enters in another role', () => {
  // contract: enterRoom › Another role of a person is another Participant with the same references,
  //   and the newest entry has the place
  test('becomes another participant with the same references, who alone has the place', async () => {
    const { roomId, observer } = await enterAsObserver()
    const before = await observer.listen()
    await before.wait('snapshot')
    const moderator = await live.enter(roomId, 'moderator', ONE_PERSON)
    expect(moderator.participantId).not.toBe(observer.participantId)
    const { data } = await plane.tenant.get(`/rooms/${roomId}/participants`)
    expect(data.items).toMatchObject([
      { id: observer.participantId, role: 'observer', external_id: 'twice' },
      { id: moderator.participantId, role: 'moderator', external_id: 'twice' },
    ])
    expect(await before.wait('removed')).toEqual({ reason: 'opened_elsewhere' })
    const refused = await observer.post('/ticket')
    expect(refused).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect(refused.headers['www-authenticate']).toBe(ELSEWHERE)
    // The old connection ends immediately, and its token cannot reconnect.
    expect(plane.media.connections.get(roomId)).toEqual([])
    const { participantId: mediaIdentity } = observer
    const again = { roomId, mediaIdentity, mediaSid: 'PA_again', joinedAt: new Date() }
    const outcome = await inTransaction(plane.database.db, (tx) => openEntry(tx, again, new Date()))
    expect(outcome).toBe('unwanted')
    expect((await moderator.post('/ticket')).status).toBe(201)
  })

  test('may change back, and no pending job removes them', async () => {
    const { roomId } = await enterAsObserver()
    const moderator = await live.enter(roomId, 'moderator', ONE_PERSON)
    const observer = await live.enter(roomId, 'observer', ONE_PERSON)
    expect((await moderator.post('/ticket')).status).toBe(401)
    plane.media.connect(roomId, observer.participantId, plane.now)
    await runJobs(plane.database.db, removeParticipantJob(plane.deps))
    expect(plane.media.connections.get(roomId)).toHaveLength(1)
    expect((await observer.post('/ticket')).status).toBe(201)
  })

  test('has an old entry that ends, with or without a notification', async () => {
    const { roomId } = await enterAsObserver()
    await live.enter(roomId, 'panelist', ONE_PERSON)
    await runJobs(plane.database.db, removeParticipantJob(plane.deps))
    const { data } = await plane.tenant.get(`/rooms/${roomId}/entry-histories`)
    expect(data.items).toMatchObject([{ role: 'observer', left_at: expect.any(String) }])
  })

  // contract: States of a Participant › A ban is of the person, in every role
  test('is banned in every role', async () => {
    const { roomId, observer } = await enterAsObserver()
    const panelist = await live.enter(roomId, 'panelist', ONE_PERSON)
    plane.media.connect(roomId, panelist.participantId, plane.now)
    const path = `/rooms/${roomId}/participants/${observer.participantId}/ban`
    expect((await plane.tenant.post(path, { reason: 'r' })).status).toBe(200)
    expect(await panelist.post('/ticket')).toMatchObject({ code: 'PARTICIPANT_BANNED' })
    await waitFor(() => plane.media.connections.get(roomId)?.length === 0)
    const { data } = await plane.tenant.get(`/rooms/${roomId}/participants`)
    expect(data.items.map(({ status }: { status: string }) => status)).toEqual(['banned', 'banned'])
    for (const role of ['observer', 'panelist', 'moderator'] as const) {
      await expect(live.enter(roomId, role, ONE_PERSON)).rejects.toThrow('PARTICIPANT_BANNED')
    }
    const events = await plane.tenant.get(
      `/rooms/${roomId}/room-events?event_type=participant.banned`,
    )
    expect(events.data.items).toHaveLength(2)
  })

  test('cannot ban themselves from another role', async () => {
    const { roomId, observer } = await enterAsObserver()
    const moderator = await live.enter(roomId, 'moderator', ONE_PERSON)
    const path = `/participants/${observer.participantId}/ban`
    expect(await moderator.post(path, { reason: 'r' })).toMatchObject({ status: 422 })
  })
})

// contract: renewTicket › A renewed ticket is of the same entry
test('a renewed ticket belongs to the same entry, so a lost connection removes nobody', async () => {
  const roomId = await bookRoom()
  const guest = await live.enter(roomId, 'panelist')
  const first = await guest.listen()
  await first.wait('snapshot')
  const { data } = await guest.post('/ticket')
  first.close()
  const renewed = { ...guest, ticket: data.ticket }
  expect((await renewed.post('/ticket')).status).toBe(201)
  const again = await guest.listen(first.lastId())
  expect((await guest.post('/events', { event_type: 'hand.raised' })).status).toBe(201)
  await again.wait('roster')
  expect(again.events.map(({ name }) => name)).not.toContain('removed')
})
