import type { AddressInfo } from 'node:net'
import type { StreamEventName, StreamEvents } from '@interview-room/contract/live-stream.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { createParser } from 'eventsource-parser'
import { afterAll, beforeAll } from 'vitest'
import { ensureServiceKey } from '../platform/service-keys/ensure-service-key.ts'
import { type ActingTenant, createActingTenant } from './acting-tenant.ts'
import { type GivenEvent, judgeEvent } from './answer-oracle.ts'
import type { ControlPlane } from './control-plane.ts'
import { type Answer, toAnswer } from './tenant-client.ts'
import { waitFor } from './wait-for.ts'
import { whileFollowing } from './while-following.ts'

/** An admitted person. */
export interface Guest {
  roomId: string
  role: Role
  participantId: string
  ticket: string
  get(path: string): Promise<Answer>
  /** A worker follows what it changes of the room's recording. */
  post(path: string, body?: object): Promise<Answer>
  /** Opens the live stream, after this position if it is given. */
  listen(lastEventId?: string): Promise<LiveReader>
}

interface Heard {
  name: StreamEventName
  id: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into data of any shape
  data: any
}

/** The events that one live stream has received so far. */
export interface LiveReader {
  events: Heard[]
  /** The received text, unparsed. */
  raw: () => string
  hasEnded: () => boolean
  /** Waits for an event of this name that satisfies the condition. */
  wait<N extends StreamEventName>(
    name: N,
    holds?: (data: StreamEvents[N]) => boolean,
  ): Promise<StreamEvents[N]>
  lastId(): string
  close(): void
}

export interface LiveRooms {
  /** The origin of the app. */
  origin: string
  acting: ActingTenant
  enter(roomId: string, role: Role, claims?: Record<string, unknown>): Promise<Guest>
  enterFrom(from: Origin, entrance: Omit<Entrance, 'from'>): Promise<Guest>
}

/** The address and device of an entry. */
interface Origin {
  address?: string
  device?: Record<string, string>
}

/** The participant plane over real HTTP: streams cannot be injected. */
export function useLiveRooms(plane: ControlPlane): LiveRooms {
  const rooms = {} as LiveRooms
  const readers: LiveReader[] = []

  beforeAll(async () => {
    // Rooms open by the database's time.
    plane.now = new Date()
    await ensureServiceKey(plane.deps)
    await plane.app.listen({ host: '127.0.0.1', port: 0 })
    rooms.origin = `http://127.0.0.1:${(plane.app.server.address() as AddressInfo).port}`
    rooms.acting = await createActingTenant(plane.deps, plane.tenant.tenantId)
    rooms.enterFrom = (from, entrance) => enter({ plane, rooms, readers }, { ...entrance, from })
    rooms.enter = (roomId, role, claims = {}) => rooms.enterFrom({}, { roomId, role, claims })
  })
  afterAll(() => {
    for (const reader of readers) reader.close()
    // The test's HTTP client opens a spare connection, for which the server would wait a minute.
    plane.app?.server.on('connection', (socket) => socket.destroy()).closeAllConnections()
  })
  return rooms
}

interface Setting {
  plane: ControlPlane
  rooms: LiveRooms
  readers: LiveReader[]
}

interface Entrance {
  roomId: string
  role: Role
  claims: Record<string, unknown>
  from: Origin
}

let people = 0

async function enter(
  { plane, rooms, readers }: Setting,
  { roomId, role, claims, from: { address, device } }: Entrance,
): Promise<Guest> {
  people += 1
  const participant = { external_type: 'User', external_id: `guest-${people}` }
  const token = await rooms.acting.signToken({ roomId, role, participant, ...claims })
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    { bearer, body }: { bearer: string; body?: object | undefined },
  ) =>
    toAnswer(
      await plane.app.inject({
        method,
        url: `/api/v1/rooms/${roomId}/live${path}`,
        headers: { authorization: `Bearer ${bearer}` },
        ...(address !== undefined && { remoteAddress: address }),
        ...(body !== undefined && { payload: body }),
      }),
    )
  const body = device && { device }
  const entry = await call('POST', '/entry', { bearer: token, body })
  if (entry.status !== 201) throw new Error(entry.text)
  const { ticket, participant: admitted } = entry.data
  return {
    roomId,
    role,
    participantId: admitted.id,
    ticket,
    get: (path) => call('GET', path, { bearer: ticket }),
    post(path, body) {
      const send = () => call('POST', path, { bearer: ticket, body })
      return changesRecording(path, body) ? whileFollowing(plane, roomId, send) : send()
    },
    async listen(lastEventId) {
      const reader = await openReader(`${rooms.origin}/api/v1/rooms/${roomId}/live/stream`, {
        authorization: `Bearer ${ticket}`,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      })
      readers.push(reader)
      return reader
    },
  }
}

/** Fails the test that received an event which the published description does not have. */
function noteWrongEvent(url: string, event: GivenEvent): void {
  const path = new URL(url).pathname.replace(/\/rooms\/[^/]+\/live/, '/rooms/{room_id}/live')
  const problem = judgeEvent(path, event)
  if (problem !== undefined) globalThis.wrongAnswers?.push(`${event.name} of ${path}: ${problem}`)
}

export async function openReader(
  url: string,
  headers: Record<string, string>,
): Promise<LiveReader> {
  const aborter = new AbortController()
  const response = await fetch(url, { headers, signal: aborter.signal })
  if (response.status !== 200 || response.body === null) throw new Error(await response.text())
  const events: Heard[] = []
  let raw = ''
  let hasEnded = false

  const parser = createParser({
    onEvent({ event, id, data }) {
      const heard = { name: event as StreamEventName, id: id ?? '', data: JSON.parse(data) }
      events.push(heard)
      noteWrongEvent(url, heard)
    },
  })

  async function readAll(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    for await (const bytes of body) {
      const text = decoder.decode(bytes, { stream: true })
      raw += text
      parser.feed(text)
    }
  }
  void readAll(response.body)
    .catch(() => {})
    .finally(() => {
      hasEnded = true
    })

  return {
    events,
    raw: () => raw,
    hasEnded: () => hasEnded,
    async wait(name, holds = () => true) {
      const find = () => events.find((each) => each.name === name && holds(each.data))
      await waitFor(() => find() !== undefined)
      return find()?.data
    },
    lastId: () => events.findLast(({ id }) => id !== '')?.id ?? '',
    close: () => aborter.abort(),
  }
}

/** True for an order to the recording, and for an answer about consent. */
function changesRecording(path: string, body: { event_type?: unknown } = {}): boolean {
  return path.startsWith('/recording') || String(body.event_type).startsWith('consent.')
}
