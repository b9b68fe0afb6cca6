import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import type { Answer } from '../../testing/tenant-client.ts'
import { createTurns } from './in-flight.ts'

describe('the turns of one person', () => {
  test('run concurrently up to the bound, then first come, first served', async () => {
    const takeTurn = createTurns({ runningMax: 2, waitingMax: 2 })
    const [one] = [await takeTurn('a'), await takeTurn('a')]
    const granted: string[] = []
    const third = takeTurn('a').then((release) => {
      granted.push('third')
      return release
    })
    const fourth = takeTurn('a').then(() => granted.push('fourth'))
    one()
    ;(await third)()
    await fourth
    expect(granted).toEqual(['third', 'fourth'])
  })

  test('refuse one request too many with 429 and the time to retry', async () => {
    const takeTurn = createTurns({ runningMax: 1, waitingMax: 0 })
    await takeTurn('a')
    await expect(takeTurn('a')).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      headers: { 'retry-after': '1' },
    })
  })

  test('do not affect other people, and are free again when returned', async () => {
    const takeTurn = createTurns({ runningMax: 1, waitingMax: 0 })
    const release = await takeTurn('a')
    await takeTurn('b')
    release()
    await expect(takeTurn('a')).resolves.toBeTypeOf('function')
  })
})

const IN_PARALLEL = 128

const FLOODS = {
  events: (guest: Guest) => guest.post('/events', { event_type: 'hand.raised' }),
  messages: (guest: Guest) =>
    guest.post('/messages', {
      id: randomUUID(),
      visibility: 'public',
      content_type: 'text',
      text: 'flood',
    }),
} satisfies Record<string, (guest: Guest) => Promise<Answer>>

describe.each(Object.keys(FLOODS) as (keyof typeof FLOODS)[])(
  'while one participant floods the room with %s',
  (kind) => {
    const plane = useControlPlane()
    const rooms = useLiveRooms(plane)

    /** Keeps this many requests running until `done` has settled. Returns their statuses. */
    async function flood(guest: Guest, done: Promise<unknown>): Promise<Set<number>> {
      const statuses = new Set<number>()
      const ending = new AbortController()
      const send = async () => {
        while (!ending.signal.aborted) {
          const { status } = await FLOODS[kind](guest)
          statuses.add(status)
        }
      }
      const senders = Array.from({ length: IN_PARALLEL }, send)
      await done.finally(() => ending.abort())
      await Promise.all(senders)
      return statuses
    }

    const acts: Record<
      string,
      (who: { panelist: Guest; moderator: Guest; sessionId: string }) => Promise<Answer>
    > = {
      'the tenant bans them': ({ panelist: { roomId, participantId } }) =>
        plane.tenant.post(`/rooms/${roomId}/participants/${participantId}/ban`, { reason: 'x' }),
      'a moderator bans them': ({ moderator, panelist }) =>
        moderator.post(`/participants/${panelist.participantId}/ban`, { reason: 'x' }),
      'the tenant closes the room': ({ panelist: { roomId } }) =>
        plane.tenant.post(`/rooms/${roomId}/close`),
      'a moderator closes the room': ({ moderator }) => moderator.post('/close'),
      'the tenant cancels the session': ({ sessionId }) =>
        plane.tenant.delete(`/sessions/${sessionId}`),
    }

    test.each(Object.entries(acts))('%s, and it holds', async (_what, act) => {
      const { id: roomId, session } = await plane.book({ startsInMin: 0 })
      const panelist = await rooms.enter(roomId, 'panelist')
      const moderator = await rooms.enter(roomId, 'moderator')
      // The flood is running before somebody acts.
      const first = Promise.all(Array.from({ length: IN_PARALLEL }, () => FLOODS[kind](panelist)))
      const acted = first.then(() => act({ panelist, moderator, sessionId: session.id }))
      const statuses = await flood(panelist, acted)

      expect((await acted).status).toBeLessThan(300)
      expect((await FLOODS[kind](panelist)).status).toBe(409)
      // Each request of the flood is refused for the flood or for the act. None fails otherwise.
      expect([...statuses].filter((status) => ![200, 201, 409, 429].includes(status))).toEqual([])
      expect(statuses).toContain(429)
    })
  },
)
