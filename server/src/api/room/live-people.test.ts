import { randomUUID } from 'node:crypto'
import { ROLES } from '@interview-room/contract/vocabulary.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { openEntry } from '../../domain/people/open-entry.ts'
import { removeParticipantJob } from '../../domain/people/remove-participant.job.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { connectMedia } from '../../testing/entries.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { waitFor } from '../../testing/wait-for.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

afterEach(() => {
  plane.media.isDown = false
})

async function newRoom(): Promise<string> {
  return (await plane.book({ startsInMin: 1 })).id
}

/** Lets somebody in, whose media is up. */
async function enter(roomId: string, role: Guest['role'], claims?: Record<string, unknown>) {
  const guest = await live.enter(roomId, role, claims)
  plane.media.connect(roomId, guest.participantId)
  await connectMedia(plane, { roomId, identity: guest.participantId })
  return guest
}

/** A room with a moderator and a panelist in it. */
async function occupied() {
  const roomId = await newRoom()
  const moderator = await enter(roomId, 'moderator', { name: '森 一郎' })
  const panelist = await enter(roomId, 'panelist', { name: '佐藤 花子' })
  return { roomId, moderator, panelist }
}

const isInside = ({ roomId, participantId }: Guest) =>
  (plane.media.connections.get(roomId) ?? []).some(({ identity }) => identity === participantId)

const eventsOf = async (roomId: string, types: readonly string[]) => [
  ...(await plane.database.db`
    select event_type, payload from room_events
     where room_id = ${roomId} and event_type = any(${[...types]}) order by seq
  `),
]

const NOT_FOR_ROLE = { status: 422, code: 'VALIDATION_ERROR', details: [['role', 'NOT_ALLOWED']] }

type Act = 'remove' | 'lower-hand' | 'spotlight'

const act = (by: Guest, what: Act, { participantId }: Pick<Guest, 'participantId'>) =>
  by.post(`/participants/${participantId}/${what}`)

/** A person in another room, an unknown id, and a malformed one. */
async function strangers() {
  const elsewhere = await live.enter(await newRoom(), 'panelist')
  return [elsewhere.participantId, randomUUID(), 'no-id'].map((participantId) => ({
    participantId,
  }))
}

describe('POST /rooms/{room_id}/live/participants/{participant_id}/remove', () => {
  // contract: removeFromInside › 200, `participant_id`, `status`, by moderator and operator; disconnected
  //   immediately, and in the log with `by`
  test.each(['moderator', 'platform_observer'] as const)(
    'by a %s disconnects the person immediately, and notes who did it',
    async (role) => {
      const { roomId, panelist } = await occupied()
      const by = await live.enter(roomId, role)
      const reader = await panelist.listen()
      expect(await act(by, 'remove', panelist)).toMatchObject({
        status: 200,
        data: { participant_id: panelist.participantId, status: 'removed' },
      })
      expect(await reader.wait('removed')).toEqual({ reason: 'removed' })
      await waitFor(reader.hasEnded)
      expect(isInside(panelist)).toBe(false)
      expect(await eventsOf(roomId, ['participant.removed', 'participant.banned'])).toEqual([
        {
          event_type: 'participant.removed',
          payload: {
            participant_id: panelist.participantId,
            identity: panelist.participantId,
            display_name: '佐藤 花子',
            by: by.participantId,
          },
        },
      ])
    },
  )

  // contract: removeFromInside › The ticket is over, and the same person may enter again
  test('ends the ticket, and lets the same person in again', async () => {
    const { roomId, moderator } = await occupied()
    const participant = { external_type: 'User', external_id: 'comes-back' }
    const before = await enter(roomId, 'panelist', { participant })
    await act(moderator, 'remove', before)
    const renewal = await before.post('/ticket')
    expect(renewal).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect(renewal.headers['www-authenticate']).toContain('removed from the room')

    const again = await enter(roomId, 'panelist', { participant })
    expect(again.participantId).toBe(before.participantId)
    await runJobs(plane.database.db, removeParticipantJob(plane.deps))
    expect(isInside(again)).toBe(true)
    expect((await again.post('/ticket')).status).toBe(201)
  })

  test('does not let the old media token in again', async () => {
    const { moderator, panelist } = await occupied()
    await act(moderator, 'remove', panelist)
    const { roomId, participantId: mediaIdentity } = panelist
    const joinedAt = new Date(plane.now.getTime() + 1000)
    const connection = { roomId, mediaIdentity, mediaSid: 'PA_once_more', joinedAt }
    const { db } = plane.database
    const outcome = await inTransaction(db, (tx) => openEntry(tx, connection, joinedAt))
    expect(outcome).toBe('unwanted')
  })

  // contract: removeFromInside › The provider is down
  test('holds while the provider is down, and a job disconnects the person later', async () => {
    const { moderator, panelist } = await occupied()
    plane.media.isDown = true
    expect((await act(moderator, 'remove', panelist)).status).toBe(200)
    expect(isInside(panelist)).toBe(true)
    plane.media.isDown = false
    await runJobs(plane.database.db, removeParticipantJob(plane.deps))
    expect(isInside(panelist)).toBe(false)
  })

  // contract: removeFromInside › A repeat changes nothing
  test('of a person who has left changes nothing', async () => {
    const { roomId, moderator, panelist } = await occupied()
    await act(moderator, 'remove', panelist)
    expect((await act(moderator, 'remove', panelist)).status).toBe(200)
    expect(await eventsOf(roomId, ['participant.removed'])).toHaveLength(1)
  })

  // contract: removeFromInside › 422 VALIDATION_ERROR of oneself
  test('of oneself is 422 NOT_ALLOWED', async () => {
    const { moderator } = await occupied()
    expect(await act(moderator, 'remove', moderator)).toMatchObject({
      status: 422,
      details: [['participant_id', 'NOT_ALLOWED']],
    })
  })

  // contract: removeFromInside › 422 VALIDATION_ERROR for other roles
  test.each(['panelist', 'observer'] as const)('by a %s is 422 NOT_ALLOWED', async (role) => {
    const { roomId, panelist } = await occupied()
    expect(await act(await live.enter(roomId, role), 'remove', panelist)).toMatchObject(
      NOT_FOR_ROLE,
    )
    expect(isInside(panelist)).toBe(true)
  })

  // contract: removeFromInside › Other tenant or room: 404 NOT_FOUND
  test('of somebody in another room, or of another tenant, is 404 like an unknown one', async () => {
    const { moderator } = await occupied()
    const answers = await Promise.all(
      (await strangers()).map((each) => act(moderator, 'remove', each)),
    )
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      answers.map(() => [404, answers[0]?.text]),
    )
  })
})

describe('POST /rooms/{room_id}/live/mute-all', () => {
  // contract: muteEveryone › 200, `identities`, `status`: everyone else with a microphone, each as by muteParticipant
  test('mutes everyone else with a microphone, and nobody else', async () => {
    const { roomId, moderator, panelist } = await occupied()
    const other = await enter(roomId, 'moderator')
    const observer = await enter(roomId, 'observer')
    const reader = await panelist.listen()
    plane.media.calls.length = 0
    const answer = await moderator.post('/mute-all')
    expect(answer.data).toEqual({
      identities: [panelist.participantId, other.participantId],
      status: 'mute_requested',
    })
    expect(await reader.wait('mute_requested')).toEqual({})
    const muted = plane.media.calls.filter((call) => call.startsWith('muteMicrophone'))
    expect(muted.toSorted()).toEqual(
      [panelist, other].map((each) => `muteMicrophone ${each.participantId}`).toSorted(),
    )
    expect(muted.join()).not.toContain(observer.participantId)
    const events = await eventsOf(roomId, ['participant.muted'])
    expect(events.map(({ payload }) => payload)).toEqual(
      [panelist, other].map(({ participantId }) => ({
        participant_id: participantId,
        by: moderator.participantId,
      })),
    )
  })

  test('mutes a person before the service is notified of the connection', async () => {
    const { roomId, moderator, panelist } = await occupied()
    const [late, observer] = [
      await live.enter(roomId, 'panelist'),
      await live.enter(roomId, 'observer'),
    ]
    for (const guest of [late, observer]) plane.media.connect(roomId, guest.participantId)
    plane.media.connect(roomId, 'EG_recorder').isPerson = false
    for (const stranger of [randomUUID(), 'stranger']) plane.media.connect(roomId, stranger)
    const reader = await late.listen()
    plane.media.calls.length = 0
    const { data } = await moderator.post('/mute-all')
    const identities = [panelist.participantId, late.participantId]
    expect(data).toEqual({ identities, status: 'mute_requested' })
    expect(await reader.wait('mute_requested')).toEqual({})
    const muted = plane.media.calls.filter((call) => call.startsWith('muteMicrophone'))
    expect(muted.toSorted()).toEqual(identities.map((each) => `muteMicrophone ${each}`).toSorted())
    expect(await eventsOf(roomId, ['participant.muted'])).toHaveLength(2)
  })

  test('asks the pages of known people while the provider is down', async () => {
    const { moderator, panelist } = await occupied()
    const reader = await panelist.listen()
    plane.media.isDown = true
    const { status, data } = await moderator.post('/mute-all')
    expect([status, data.identities]).toEqual([200, [panelist.participantId]])
    await reader.wait('mute_requested')
  })

  // contract: muteEveryone › 422 VALIDATION_ERROR for other roles
  test.each(['panelist', 'observer', 'platform_observer'] as const)(
    'by a %s is 422 NOT_ALLOWED',
    async (role) => {
      const { roomId } = await occupied()
      expect(await (await live.enter(roomId, role)).post('/mute-all')).toMatchObject(NOT_FOR_ROLE)
      expect(await eventsOf(roomId, ['participant.muted'])).toEqual([])
    },
  )
})

const raise = (guest: Guest) => guest.post('/events', { event_type: 'hand.raised' })

async function handsIn(roomId: string, reader: Guest): Promise<string[]> {
  const { roster } = await (await reader.listen()).wait('snapshot')
  return roster.flatMap((each) => (each.has_hand_raised ? [each.identity] : []))
}

describe('lowering hands', () => {
  // contract: lowerHand › 200, `identities`: the hand of one person, with `by` in the log and the event
  test('lowers the hand of one person, for everybody to see', async () => {
    const { roomId, moderator, panelist } = await occupied()
    const other = await enter(roomId, 'panelist')
    await raise(panelist)
    await raise(other)
    const reader = await panelist.listen()
    await reader.wait('snapshot')
    expect((await act(moderator, 'lower-hand', panelist)).data).toEqual({
      identities: [panelist.participantId],
    })
    expect(await reader.wait('fact')).toMatchObject({
      type: 'hand.lowered',
      identity: panelist.participantId,
      payload: { by: moderator.participantId },
    })
    await reader.wait('roster')
    expect(await handsIn(roomId, moderator)).toEqual([other.participantId])
    expect(await eventsOf(roomId, ['hand.lowered'])).toEqual([
      {
        event_type: 'hand.lowered',
        payload: {
          participant_id: panelist.participantId,
          identity: panelist.participantId,
          display_name: '佐藤 花子',
          by: moderator.participantId,
        },
      },
    ])
  })

  // contract: lowerHand › A hand that is not raised: nothing changes
  test('of a hand that is not raised changes nothing', async () => {
    const { roomId, moderator, panelist } = await occupied()
    expect((await act(moderator, 'lower-hand', panelist)).data).toEqual({ identities: [] })
    expect(await eventsOf(roomId, ['hand.lowered'])).toEqual([])
  })

  // contract: lowerAllHands › 200, `identities`: everyone present; a repeat lowers none
  test('lowers the hands of everyone, once', async () => {
    const { roomId, moderator, panelist } = await occupied()
    const other = await enter(roomId, 'panelist')
    await raise(panelist)
    await raise(other)
    const both = [panelist.participantId, other.participantId]
    expect((await moderator.post('/lower-hands')).data).toEqual({ identities: both })
    expect((await moderator.post('/lower-hands')).data).toEqual({ identities: [] })
    expect(await handsIn(roomId, moderator)).toEqual([])
    expect(await eventsOf(roomId, ['hand.lowered'])).toHaveLength(2)
  })

  test('counts towards no rate limit', async () => {
    const { moderator, panelist } = await occupied()
    for (let turn = 0; turn < 31; turn += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as people press
      const answer = await raise(panelist)
      expect(answer.status).toBe(201)
      // oxlint-disable-next-line no-await-in-loop -- as above
      await act(moderator, 'lower-hand', panelist)
    }
  })

  // contract: lowerHand, lowerAllHands › 422 VALIDATION_ERROR for other roles
  test.each(['panelist', 'observer', 'platform_observer'] as const)(
    'by a %s is 422 NOT_ALLOWED',
    async (role) => {
      const { roomId, moderator, panelist } = await occupied()
      await raise(panelist)
      const by = await live.enter(roomId, role)
      expect(await act(by, 'lower-hand', panelist)).toMatchObject(NOT_FOR_ROLE)
      expect(await by.post('/lower-hands')).toMatchObject(NOT_FOR_ROLE)
      expect(await handsIn(roomId, moderator)).toEqual([panelist.participantId])
    },
  )

  // contract: lowerHand › Other tenant or room: 404 NOT_FOUND
  test('of somebody in another room, or of another tenant, is 404 like an unknown one', async () => {
    const { moderator } = await occupied()
    const answers = await Promise.all(
      (await strangers()).map((each) => act(moderator, 'lower-hand', each)),
    )
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      answers.map(() => [404, answers[0]?.text]),
    )
  })
})

describe('the spotlight', () => {
  // contract: spotlightParticipant › 200, `identity`; `spotlight` to everyone, and in the snapshot of those who enter later
  // contract: endSpotlight › 200, `identity` null; `spotlight` to everyone
  // contract: streamRoom › `spotlight`
  test('makes one person large for everybody, also for those who enter later, until it ends', async () => {
    const { roomId, moderator, panelist } = await occupied()
    const readers = await Promise.all(
      ROLES.map(async (role) => (await live.enter(roomId, role)).listen()),
    )
    const { participantId: identity } = panelist
    expect((await act(moderator, 'spotlight', panelist)).data).toEqual({ identity })
    for (const reader of readers) {
      // oxlint-disable-next-line no-await-in-loop -- each has to arrive
      expect(await reader.wait('spotlight')).toEqual({ identity })
    }
    const late = await live.enter(roomId, 'panelist')
    expect(await (await late.listen()).wait('snapshot')).toMatchObject({ spotlight: identity })

    expect((await moderator.post('/spotlight/end')).data).toEqual({ identity: null })
    await readers[0]?.wait('spotlight', (data) => data.identity === null)
    expect(await (await late.listen()).wait('snapshot')).toMatchObject({ spotlight: null })
    expect(await eventsOf(roomId, ['spotlight.started', 'spotlight.ended'])).toEqual([
      {
        event_type: 'spotlight.started',
        payload: {
          participant_id: identity,
          identity,
          display_name: '佐藤 花子',
          by: moderator.participantId,
        },
      },
      { event_type: 'spotlight.ended', payload: { by: moderator.participantId } },
    ])
  })

  // contract: spotlightParticipant, endSpotlight › A repeat changes nothing
  test('is on one person at a time, and a repeat notes nothing', async () => {
    const { roomId, moderator, panelist } = await occupied()
    await moderator.post('/spotlight/end')
    await act(moderator, 'spotlight', panelist)
    await act(moderator, 'spotlight', panelist)
    await act(moderator, 'spotlight', moderator)
    const events = await eventsOf(roomId, ['spotlight.started', 'spotlight.ended'])
    expect(events.map(({ payload }) => payload['identity'])).toEqual([
      panelist.participantId,
      moderator.participantId,
    ])
  })

  // contract: spotlightParticipant › 422 VALIDATION_ERROR for a person who is not seen
  test.each(['observer', 'platform_observer'] as const)(
    'on a %s, whom nobody sees, is 422 NOT_ALLOWED',
    async (role) => {
      const { roomId, moderator } = await occupied()
      expect(await act(moderator, 'spotlight', await live.enter(roomId, role))).toMatchObject({
        status: 422,
        details: [['participant_id', 'NOT_ALLOWED']],
      })
    },
  )

  // contract: spotlightParticipant, endSpotlight › 422 VALIDATION_ERROR for other roles
  test.each(['panelist', 'observer', 'platform_observer'] as const)(
    'by a %s is 422 NOT_ALLOWED',
    async (role) => {
      const { roomId, panelist } = await occupied()
      const by = await live.enter(roomId, role)
      expect(await act(by, 'spotlight', panelist)).toMatchObject(NOT_FOR_ROLE)
      expect(await by.post('/spotlight/end')).toMatchObject(NOT_FOR_ROLE)
    },
  )

  // contract: spotlightParticipant › Other tenant or room: 404 NOT_FOUND
  test('on somebody in another room, or of another tenant, is 404 like an unknown one', async () => {
    const { moderator } = await occupied()
    const answers = await Promise.all(
      (await strangers()).map((each) => act(moderator, 'spotlight', each)),
    )
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      answers.map(() => [404, answers[0]?.text]),
    )
  })
})
