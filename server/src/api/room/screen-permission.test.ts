import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { openEntry } from '../../domain/people/open-entry.ts'
import { updateMediaRightsJob } from '../../domain/people/update-media-rights.job.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { ALL_RIGHTS } from '../../platform/ports/media.ts'
import { setConsentPolicy } from '../../platform/tenants/consent-settings.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { connectMedia } from '../../testing/entries.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { runJobs } from '../../testing/run-jobs.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

afterEach(async () => {
  plane.media.isDown = false
  const policy = { recordingConsent: 'ask', observationConsent: 'informed' } as const
  await setConsentPolicy(plane.database.db, plane.tenant.tenantId, policy)
})

async function enter(roomId: string, role: Guest['role'], claims?: Record<string, unknown>) {
  const guest = await live.enter(roomId, role, claims)
  plane.media.connect(roomId, guest.participantId)
  await connectMedia(plane, { roomId, identity: guest.participantId })
  return guest
}

async function occupied(archiveMode: 'always' | 'manual' = 'manual') {
  const { id: roomId } = await plane.book({ startsInMin: 1, archiveMode })
  const moderator = await enter(roomId, 'moderator')
  return { roomId, moderator, panelist: await enter(roomId, 'panelist') }
}

const decide = (
  by: Guest,
  { participantId }: Pick<Guest, 'participantId'>,
  what: 'allow' | 'withdraw',
) => by.post(`/participants/${participantId}/screen/${what}`)

/** The rights that the provider enforces, and those of the newest media token. */
function sharing({ roomId, participantId }: Guest) {
  const connection = plane.media.connections
    .get(roomId)
    ?.find(({ identity }) => identity === participantId)
  return {
    now: connection?.rights.mayShareScreen === true,
    byToken: plane.media.signed.get(participantId)?.mayShareScreen === true,
  }
}

describe('the permission to share the screen', () => {
  // contract: allowScreenShare, withdrawScreenShare › 200, `participant_id`, `may_share_screen`; by the media
  //   token and at the provider; in roster and log
  // contract: streamRoom › `may_share_screen` of panelists in the roster
  test('holds at the provider and in tokens from the answer on, until it is withdrawn', async () => {
    const { roomId, moderator, panelist } = await occupied()
    expect(sharing(panelist)).toEqual({ now: false, byToken: false })
    expect((await decide(moderator, panelist, 'allow')).data).toEqual({
      participant_id: panelist.participantId,
      may_share_screen: true,
    })
    expect(sharing(panelist).now).toBe(true)
    await panelist.post('/ticket')
    expect(sharing(panelist)).toEqual({ now: true, byToken: true })
    const { roster } = await (await panelist.listen()).wait('snapshot')
    expect(roster.map(({ role, may_share_screen: may }) => [role, may])).toEqual([
      ['moderator', undefined],
      ['panelist', true],
    ])

    expect((await decide(moderator, panelist, 'withdraw')).data).toMatchObject({
      may_share_screen: false,
    })
    await panelist.post('/ticket')
    expect(sharing(panelist)).toEqual({ now: false, byToken: false })
    const { data } = await plane.tenant.get(`/rooms/${roomId}/room-events`)
    const types = data.items.map(({ event_type: type }: { event_type: string }) => type)
    expect(types).toEqual(['screen.allowed', 'screen.withdrawn'])
  })

  test('is of one panelist, and changes nothing for moderators', async () => {
    const { roomId, moderator, panelist } = await occupied()
    const other = await enter(roomId, 'panelist')
    plane.media.calls.length = 0
    await decide(moderator, panelist, 'allow')
    const updates = plane.media.calls.filter((call) => call.startsWith('updateRights'))
    expect(updates).toEqual([`updateRights ${panelist.participantId}`])
    expect(sharing(other).now).toBe(false)
  })

  test('stays with a panelist who comes back', async () => {
    const { roomId, moderator } = await occupied()
    const participant = { external_type: 'User', external_id: 'comes-back' }
    const before = await enter(roomId, 'panelist', { participant })
    await decide(moderator, before, 'allow')
    const again = await enter(roomId, 'panelist', { participant })
    expect(sharing(again)).toEqual({ now: true, byToken: true })
  })

  test('does not let a panelist publish who has not agreed to a recording', async () => {
    const { moderator, panelist } = await occupied('always')
    await decide(moderator, panelist, 'allow')
    expect(sharing(panelist)).toEqual({ now: false, byToken: false })
    await panelist.post('/events', { event_type: 'consent.given' })
    expect(sharing(panelist).now).toBe(true)
  })

  // contract: allowScreenShare, withdrawScreenShare › The provider is down
  test('is noted while the provider is down, and a job brings it there later', async () => {
    const { moderator, panelist } = await occupied()
    plane.media.isDown = true
    expect((await decide(moderator, panelist, 'allow')).status).toBe(200)
    expect(sharing(panelist).now).toBe(false)
    plane.media.isDown = false
    await runJobs(plane.database.db, updateMediaRightsJob(plane.deps))
    expect(sharing(panelist).now).toBe(true)
  })

  test('reaches a panelist whose connection was down, and who is back with an older token', async () => {
    const { roomId, moderator, panelist } = await occupied()
    const identity = panelist.participantId
    const update = updateMediaRightsJob(plane.deps)
    for (const [what, expected] of [
      ['allow', true],
      ['withdraw', false],
    ] as const) {
      // oxlint-disable no-await-in-loop -- one after the other
      const { rights } = plane.media.connections
        .get(roomId)
        ?.find((one) => one.identity === identity) ?? { rights: ALL_RIGHTS }
      plane.media.disconnect(roomId, identity)
      await decide(moderator, panelist, what)
      await runJobs(plane.database.db, update)

      const back = plane.media.connect(roomId, identity)
      back.rights = rights
      const seen = { roomId, mediaIdentity: identity, mediaSid: back.sid, joinedAt: plane.now }
      await inTransaction(plane.database.db, (tx) => openEntry(tx, seen, plane.now))
      await runJobs(plane.database.db, update)
      expect(sharing(panelist).now).toBe(expected)
      // oxlint-enable no-await-in-loop
    }
  })

  // contract: allowScreenShare, withdrawScreenShare › A repeat changes nothing
  test('is noted once', async () => {
    const { roomId, moderator, panelist } = await occupied()
    for (const what of ['withdraw', 'allow', 'allow'] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await decide(moderator, panelist, what)).status).toBe(200)
    }
    const { data } = await plane.tenant.get(`/rooms/${roomId}/room-events`)
    expect(data.items).toHaveLength(1)
  })

  // contract: allowScreenShare, withdrawScreenShare › 422 VALIDATION_ERROR of other people than panelists
  test.each(['moderator', 'observer', 'platform_observer'] as const)(
    'of a %s is 422 NOT_ALLOWED',
    async (role) => {
      const { roomId, moderator } = await occupied()
      const other = await live.enter(roomId, role)
      for (const what of ['allow', 'withdraw'] as const) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        expect(await decide(moderator, other, what)).toMatchObject({
          status: 422,
          details: [['participant_id', 'NOT_ALLOWED']],
        })
      }
    },
  )

  // contract: allowScreenShare, withdrawScreenShare › 422 VALIDATION_ERROR for other roles
  test.each(['panelist', 'observer', 'platform_observer'] as const)(
    'by a %s is 422 NOT_ALLOWED',
    async (role) => {
      const { roomId, panelist } = await occupied()
      const by = await live.enter(roomId, role)
      for (const what of ['allow', 'withdraw'] as const) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        expect(await decide(by, panelist, what)).toMatchObject({
          status: 422,
          details: [['role', 'NOT_ALLOWED']],
        })
      }
      expect(sharing(panelist).now).toBe(false)
    },
  )

  // contract: allowScreenShare, withdrawScreenShare › Other tenant or room: 404 NOT_FOUND
  test('of a person in another room, or of another tenant, is 404 like an unknown one', async () => {
    const { moderator } = await occupied()
    const elsewhere = await occupied()
    const ids = [elsewhere.panelist.participantId, randomUUID(), 'no-id']
    const answers = await Promise.all(
      ids.map((participantId) => decide(moderator, { participantId }, 'allow')),
    )
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      answers.map(() => [404, answers[0]?.text]),
    )
  })
})
