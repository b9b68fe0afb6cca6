import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { inTransaction } from '../../platform/db/db.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import { hasLockWait } from '../../testing/lock-waits.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import { queueForRoom } from '../room-log/room-lock.ts'

const HEARTBEAT_MS = 15_000
const HEARTBEAT = /^: now \d{4}-.+Z$/gm
const LARGE = 'x'.repeat(100_000)
/** Enough to exceed the buffers of the machine, too. */
const EVENTS_MAX = 500
const TEST_TIMEOUT_MS = 120_000

const plane = useControlPlane()
const live = useLiveRooms(plane)

afterEach(() => {
  vi.useRealTimers()
})

async function enter(): Promise<Guest> {
  const { id } = await plane.book({ startsInMin: 1 })
  return live.enter(id, 'moderator')
}

async function publish(roomId: string, turn: number, note: string): Promise<void> {
  const payload = {
    type: 'marker',
    participant_id: null,
    identity: String(turn),
    display_name: 'Somebody',
    payload: { note },
    created_at: new Date().toISOString(),
  }
  await inTransaction(plane.database.db, async (tx) =>
    publishLiveEvent(tx, await queueForRoom(tx, roomId, 'shared'), { name: 'fact', payload }),
  )
}

/** A reader that opens the stream and takes nothing from it; `socket` is the service's end of the connection. */
async function hang({ roomId, ticket }: Guest) {
  const coming = once(plane.app.server, 'connection') as Promise<[Socket]>
  const request = get(`${live.origin}/api/v1/rooms/${roomId}/live/stream`, {
    agent: false,
    headers: { authorization: `Bearer ${ticket}` },
  })
  const [[socket], [response]] = (await Promise.all([coming, once(request, 'response')])) as [
    [Socket],
    [IncomingMessage],
  ]
  return { socket, response }
}

/** The events that arrived before the connection was cut, by their turns, and the last cursor. */
async function readRest(response: IncomingMessage): Promise<{ turns: number[]; place: string }> {
  const turns: number[] = []
  let place = ''
  const parser = createParser({
    onEvent({ event, id, data }) {
      place = id ?? place
      if (event === 'fact') turns.push(turnOf(JSON.parse(data)))
    },
  })
  const decoder = new TextDecoder()
  response.on('data', (bytes: Buffer) => parser.feed(decoder.decode(bytes, { stream: true })))
  // The connection was cut, so the response never ends properly.
  await finished(response).catch(() => {})
  return { turns, place }
}

describe('GET /rooms/{room_id}/live/stream', () => {
  // contract: streamRoom › A sign of life every 15 s
  test('gives a sign of life every 15 seconds', async () => {
    const guest = await enter()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const reader = await guest.listen()
    await reader.wait('snapshot')
    // The first one comes with the beginning.
    const signs = () => (reader.raw().match(HEARTBEAT) ?? []).length - 1
    vi.advanceTimersByTime(HEARTBEAT_MS - 1)
    await publish(guest.roomId, 1, '')
    await reader.wait('fact')
    expect(signs()).toBe(0)
    for (const count of [1, 2]) {
      vi.advanceTimersByTime(count === 1 ? 1 : HEARTBEAT_MS)
      await waitFor(() => signs() === count)
    }
  })

  // contract: streamRoom › A reader who leaves more than 1 MiB is cut off, and resumes; others are
  //   not held up
  test(
    'disconnects a reader with more than 1 MiB waiting, at no cost to others, and continues at their return',
    async () => {
      const guest = await enter()
      const other = await live.enter(guest.roomId, 'observer')
      const [{ socket, response }, healthy] = [await hang(guest), await other.listen()]
      await healthy.wait('snapshot')
      let published = 0
      while (!socket.destroyed && published < EVENTS_MAX) {
        published += 1
        await publish(guest.roomId, published, LARGE)
        await healthy.wait('fact', (fact) => turnOf(fact) === published)
      }
      expect(socket.destroyed).toBe(true)
      expect(healthy.hasEnded()).toBe(false)

      const before = await readRest(response)
      expect(before.turns.length).toBeLessThan(published)
      const after = await guest.listen(before.place)
      await after.wait('fact', (fact) => turnOf(fact) === published)
      const seen = [...before.turns, ...after.events.map(({ data }) => turnOf(data))]
      expect(seen).toEqual(Array.from({ length: published }, (_, at) => at + 1))
    },
    TEST_TIMEOUT_MS,
  )
})

function turnOf(fact: object): number {
  return Number((fact as { identity: string }).identity)
}

async function countOpenStreams(): Promise<number> {
  const { values } = await plane.deps.metrics.liveStreams.get()
  return values.find(({ labels }) => labels.kind === 'room')?.value ?? 0
}

test('a reader who disconnects before the stream begins leaves nothing open', async () => {
  const { roomId, ticket } = await enter()
  const { db } = plane.database
  const before = await countOpenStreams()
  const coming = once(plane.app.server, 'connection') as Promise<[Socket]>
  await inTransaction(db, async (tx) => {
    // The snapshot waits for this lock.
    await tx`lock table room_clocks in access exclusive mode`
    const request = get(`${live.origin}/api/v1/rooms/${roomId}/live/stream`, {
      agent: false,
      headers: { authorization: `Bearer ${ticket}` },
    })
    request.on('error', () => {})
    const [socket] = await coming
    await waitFor(() => hasLockWait(db))
    request.destroy()
    await waitFor(() => socket.destroyed)
  })
  await delay(1_000)
  expect(await countOpenStreams()).toBe(before)
})

// contract: streamRoom › A reader who does not take the end is cut off
test('a reader who takes nothing is cut off after the end, and gets no more writes', async () => {
  const guest = await enter()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { socket } = await hang(guest)
  for (let turn = 1; socket.writableLength === 0 && turn < EVENTS_MAX; turn += 1) {
    await publish(guest.roomId, turn, LARGE)
    await delay(20)
  }
  expect(socket.writableLength).toBeGreaterThan(0)
  const uncaught: unknown[] = []
  const note = (error: unknown) => uncaught.push(error)
  process.on('uncaughtException', note)
  await guest.post('/close', {})
  // Events after the end.
  for (const turn of [1, 2, 3]) await publish(guest.roomId, turn, 'late')
  await delay(500)
  for (let count = 0; count < 3; count += 1) {
    vi.advanceTimersByTime(HEARTBEAT_MS)
    await delay(50)
  }
  expect(socket.destroyed).toBe(false)
  await waitFor(() => socket.destroyed)
  process.off('uncaughtException', note)
  expect(uncaught).toEqual([])
})
