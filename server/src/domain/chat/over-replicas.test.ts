import type { AddressInfo } from 'node:net'
import { ROLES, VISIBILITIES, type Visibility } from '@interview-room/contract/vocabulary.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { type Db, openDb } from '../../platform/db/db.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { TEST_TIMEOUTS } from '../../testing/database.ts'
import { TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { heard, MAY_SEND, RECEIVE, said } from '../../testing/live-chat.ts'
import { type Guest, type LiveReader, openReader, useLiveRooms } from '../../testing/live-room.ts'
import { IS_FULL_RUN } from '../../testing/scope.ts'
import { waitFor } from '../../testing/wait-for.ts'

const [CUTS, MESSAGES] = IS_FULL_RUN ? [50, 1000] : [10, 200]
const PER_ROUND = MESSAGES / CUTS

const config = loadConfig({ ...TEST_ENVIRONMENT, CHAT_MESSAGES_PER_MIN: '100000' })
const plane = useControlPlane({ config })
const live = useLiveRooms(plane)
let secondDb: Db
let replicas: FastifyInstance[]

/** A second process of the service. The two share only the database. */
beforeAll(async () => {
  secondDb = openDb({
    url: plane.database.url,
    poolSize: 8,
    applicationName: 'second replica',
    ...TEST_TIMEOUTS,
  })
  const second = await createApp({ ...plane.deps, db: secondDb })
  await second.listen({ host: '127.0.0.1', port: 0 })
  replicas = [plane.app, second]
})
afterAll(async () => {
  await replicas[1]?.close()
  await secondDb.end()
})

const replicaOf = (number: number): FastifyInstance => replicas[number % 2] ?? plane.app

/** A guest whose stream breaks repeatedly and resumes at the other replica. */
interface Listener {
  guest: Guest
  reader: LiveReader
  place: string
  /** Message ids over all connections, in order of arrival. */
  ids: string[]
  snapshots: number
}

async function connect(guest: Guest, replica: number, place: string): Promise<LiveReader> {
  const { port } = replicaOf(replica).server.address() as AddressInfo
  return openReader(`http://127.0.0.1:${port}/api/v1/rooms/${guest.roomId}/live/stream`, {
    authorization: `Bearer ${guest.ticket}`,
    ...(place !== '' && { 'last-event-id': place }),
  })
}

/** Closes the connection and collects what it delivered, up to its last whole event. */
async function hangUp(listener: Listener): Promise<void> {
  const { reader } = listener
  reader.close()
  await waitFor(reader.hasEnded)
  listener.ids.push(...heard(reader))
  listener.snapshots += reader.events.filter(({ name }) => name === 'snapshot').length
  listener.place = reader.lastId() || listener.place
}

async function cut(listener: Listener, round: number): Promise<void> {
  // Some rounds cut in the middle of the delivery, some before the first event.
  await waitFor(() => heard(listener.reader).length >= round % 4)
  await hangUp(listener)
  listener.reader = await connect(listener.guest, round, listener.place)
}

/** Sends message number `at`, from one of its permitted senders, over one of the replicas. */
async function send(guests: readonly Guest[], at: number): Promise<void> {
  const visibility: Visibility = VISIBILITIES[at % VISIBILITIES.length] ?? 'public'
  const senders = guests.filter(({ role }) => MAY_SEND[visibility].includes(role))
  const guest = senders[at % senders.length]
  const answer = await replicaOf(at).inject({
    method: 'POST',
    url: `/api/v1/rooms/${guest?.roomId}/live/messages`,
    headers: { authorization: `Bearer ${guest?.ticket}` },
    payload: said({ visibility, text: `${at}` }),
  })
  expect(answer.statusCode).toBe(201)
}

async function sentIn(roomId: string): Promise<{ id: string; visibility: Visibility }[]> {
  return plane.database.db`
    select id, visibility from chat_messages where room_id = ${roomId} order by seq
  `
}

// contract: sendMessage › Delivery over replicas and cuts: in order, once
test('messages over two replicas reach every reader of their role once and in order, even if its stream is cut repeatedly', async () => {
  const roomId = (await plane.book({ startsInMin: 1 })).id
  const guests = await Promise.all([...ROLES, ...ROLES].map((role) => live.enter(roomId, role)))
  const listeners = await Promise.all(
    guests.map(async (guest, at): Promise<Listener> => {
      const reader = await connect(guest, at, '')
      await reader.wait('snapshot')
      return { guest, reader, place: '', ids: [], snapshots: 0 }
    }),
  )
  for (let round = 0; round < CUTS; round += 1) {
    const numbers = Array.from({ length: PER_ROUND }, (_, at) => round * PER_ROUND + at)
    await Promise.all([
      ...numbers.map((at) => send(guests, at)),
      ...listeners.map((listener) => cut(listener, round)),
    ])
  }

  const sent = await sentIn(roomId)
  expect(sent).toHaveLength(MESSAGES)
  for (const listener of listeners) {
    const { role } = listener.guest
    const expected = sent.filter(({ visibility }) => RECEIVE[visibility].includes(role))
    const count = () => listener.ids.length + heard(listener.reader).length
    await waitFor(() => count() >= expected.length)
    await hangUp(listener)
    expect(listener.ids).toEqual(expected.map(({ id }) => id))
    // Every cut was resumed: no reader needed another snapshot.
    expect(listener.snapshots).toBe(1)
  }
}, 240_000)
