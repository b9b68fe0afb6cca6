import type { AddressInfo } from 'node:net'
import {
  DisconnectReason,
  JoinResponse,
  LeaveRequest,
  ParticipantInfo,
  ReconnectResponse,
  SignalRequest,
  SignalResponse,
  SubscriptionError,
  SubscriptionResponse,
  TrackInfo,
} from '@livekit/protocol'
import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import type { SignalMessage } from '../sfu/signal-socket.ts'
import { recorderToken } from './recorder-token.ts'
import { RoomClient } from './room-client.ts'

const WAIT = { timeout: 120_000, interval: 10 }
const GIVE_UP_MS = 1500
const KEY = { apiKey: 'key', apiSecret: 'a-secret-of-at-least-thirty-two-characters' }

/** A server that speaks the signalling alone. */
let server: WebSocketServer
let refusal: number | undefined
/** It closes the socket of every resume. */
let isForgetful = false
const sockets: WebSocket[] = []
const queries: URLSearchParams[] = []
let claims: Record<string, unknown> = {}
const clients: RoomClient[] = []
const logged: string[] = []
/** Pings that have arrived. The server answers none. */
let pings = 0

beforeEach(async () => {
  refusal = undefined
  isForgetful = false
  pings = 0
  await listen(0)
})

async function listen(port: number): Promise<void> {
  server = new WebSocketServer({
    host: '127.0.0.1',
    port,
    verifyClient: ({ req }, answer) => {
      claims = decodeJwt(req.headers.authorization?.slice('Bearer '.length) ?? '')
      answer(refusal === undefined, refusal)
    },
  })
  server.on('connection', (socket, request) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams
    sockets.push(socket)
    socket.on('message', (data: Buffer) => {
      if (SignalRequest.fromBinary(data).message.case === 'pingReq') pings += 1
    })
    queries.push(query)
    if (query.get('reconnect') === '1') {
      if (isForgetful) return socket.close()
      return send(socket, { case: 'reconnect', value: new ReconnectResponse() })
    }
    const participant = new ParticipantInfo({ sid: `PA_${sockets.length}`, identity: 'EG_1' })
    const camera = new TrackInfo({ sid: 'TR_VC1', mimeType: 'video/H264' })
    const alice = new ParticipantInfo({ sid: 'PA_alice', identity: 'alice', tracks: [camera] })
    const value = new JoinResponse({ participant, otherParticipants: [alice] })
    send(socket, { case: 'join', value })
  })
  await new Promise((resolve) => server.once('listening', resolve))
}

afterEach(() => {
  for (const client of clients.splice(0)) client.leave()
  for (const socket of sockets.splice(0)) socket.terminate()
  queries.splice(0)
  logged.splice(0)
  server.close()
})

function send(socket: WebSocket | undefined, message: SignalMessage): void {
  socket?.send(new SignalResponse({ message }).toBinary())
}

function leave(reason: DisconnectReason): void {
  send(sockets.at(-1), { case: 'leave', value: new LeaveRequest({ reason }) })
}

function enter({ isThere = true }: { isThere?: boolean | (() => boolean) } = {}) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = new RoomClient({
    url,
    token: () => recorderToken({ url, ...KEY }, { roomName: 'room', egressId: 'EG_1' }),
    rtc: {},
    log: ({ msg }) => void logged.push(msg),
    selection: { of: 'room', hasSound: true, hasPicture: true },
    isThere: async () => (typeof isThere === 'function' ? isThere() : isThere),
    giveUpMs: GIVE_UP_MS,
  })
  const watcher = {
    changed: vi.fn(),
    finished: vi.fn(),
    failed: vi.fn(),
    unrecordable: vi.fn(),
    missed: vi.fn(),
  }
  client.watchers.add(watcher)
  clients.push(client)
  return { client, watcher }
}

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

const joined = (times: number) => vi.waitFor(() => expect(queries).toHaveLength(times), WAIT)

describe('a recorder in a room of another server', () => {
  test('joins hidden, as a recorder, under the id of its egress', async () => {
    const { client } = enter()
    await vi.waitFor(() => expect([...client.participants.keys()]).toEqual(['alice']), WAIT)
    expect(claims).toMatchObject({
      sub: 'EG_1',
      kind: 'egress',
      video: { room: 'room', roomJoin: true, hidden: true, recorder: true, canPublish: false },
    })
  })

  test('resumes the connection when its signalling breaks', async () => {
    const { watcher } = enter()
    await joined(1)
    sockets[0]?.terminate()
    await joined(2)
    expect([queries[1]?.get('reconnect'), queries[1]?.get('sid')]).toEqual(['1', 'PA_1'])
    expect(watcher.finished).not.toHaveBeenCalled()
  })

  test('does not take its own standstill for silence of the server', async () => {
    enter()
    await joined(1)
    await vi.waitFor(() => expect(pings).toBeGreaterThan(0), WAIT)
    const before = pings
    standStill(5000)
    await vi.waitFor(() => expect(pings).toBeGreaterThan(before + 1), WAIT)
    expect(queries).toHaveLength(1)
  })

  test('joins again when the server does not take the resume', async () => {
    const { client, watcher } = enter()
    await joined(1)
    await vi.waitFor(() => expect(client.participants.size).toBe(1), WAIT)
    isForgetful = true
    sockets[0]?.terminate()
    await joined(3)
    expect(queries.slice(1).map((query) => query.get('reconnect'))).toEqual(['1', null])
    expect(watcher.finished).not.toHaveBeenCalled()
  })

  test('resumes when a server that was out of reach is back', async () => {
    const { client } = enter()
    await joined(1)
    await vi.waitFor(() => expect(client.participants.size).toBe(1), WAIT)
    const { port } = server.address() as AddressInfo
    server.close()
    sockets[0]?.terminate()
    await vi.waitFor(() => expect(logged).toContain('joining the room failed'), WAIT)
    await listen(port)
    await joined(2)
    expect(queries[1]?.get('reconnect')).toBe('1')
  })

  test.each([
    DisconnectReason.SERVER_SHUTDOWN,
    DisconnectReason.STATE_MISMATCH,
    DisconnectReason.CONNECTION_TIMEOUT,
  ])('joins again after a leave for reason %i', async (reason) => {
    const { client, watcher } = enter()
    await joined(1)
    await vi.waitFor(() => expect(client.participants.size).toBe(1), WAIT)
    leave(reason)
    await joined(2)
    expect(queries[1]?.get('reconnect')).toBeNull()
    expect(watcher.finished).not.toHaveBeenCalled()
  })

  test.each([
    DisconnectReason.ROOM_DELETED,
    DisconnectReason.ROOM_CLOSED,
    DisconnectReason.PARTICIPANT_REMOVED,
    DisconnectReason.DUPLICATE_IDENTITY,
  ])('finishes after a leave for reason %i', async (reason) => {
    const { client, watcher } = enter()
    await joined(1)
    await vi.waitFor(() => expect(client.participants.size).toBe(1), WAIT)
    leave(reason)
    await vi.waitFor(() => expect(watcher.finished).toHaveBeenCalledOnce(), WAIT)
    expect([client.isFinished, queries.length]).toEqual([true, 1])
  })

  test('waits for a room that a restarted server has lost, and joins when it is made again', async () => {
    let looks = 0
    const { client, watcher } = enter({ isThere: () => ++looks > 2 })
    await joined(1)
    await vi.waitFor(() => expect(client.participants.size).toBe(1), WAIT)
    // The restarted server answers the resume with 404.
    refusal = 404
    sockets[0]?.terminate()
    await vi.waitFor(() => expect(looks).toBeGreaterThan(0), WAIT)
    refusal = undefined
    await joined(2)
    expect(queries[1]?.get('reconnect')).toBeNull()
    expect(looks).toBe(3)
    expect(watcher.finished).not.toHaveBeenCalled()
  })

  test('does not create a room again that is gone, and finally gives up', async () => {
    const { client, watcher } = enter({ isThere: false })
    await joined(1)
    await vi.waitFor(() => expect(client.participants.size).toBe(1), WAIT)
    leave(DisconnectReason.SERVER_SHUTDOWN)
    await vi.waitFor(() => expect(watcher.finished).toHaveBeenCalledOnce(), WAIT)
    expect(queries).toHaveLength(1)
  })

  test('fails immediately where it is refused, and finishes where there is no room', async () => {
    refusal = 401
    const refused = enter()
    await vi.waitFor(() => expect(refused.watcher.failed).toHaveBeenCalledOnce(), WAIT)
    expect(String(refused.watcher.failed.mock.calls[0])).toContain('HTTP status 401')
    refusal = 404
    const absent = enter()
    await vi.waitFor(() => expect(absent.watcher.finished).toHaveBeenCalledOnce(), WAIT)
  })

  test('reports which track the server does not send, and why', async () => {
    const { client, watcher } = enter()
    await joined(1)
    await vi.waitFor(() => expect(client.participants.size).toBe(1), WAIT)
    const err = SubscriptionError.SE_CODEC_UNSUPPORTED
    const value = new SubscriptionResponse({ trackSid: 'TR_VC1', err })
    send(sockets[0], { case: 'subscriptionResponse', value })
    await vi.waitFor(() => {
      expect(watcher.unrecordable).toHaveBeenCalledWith(
        'TR_VC1',
        'video/H264, only VP8 and Opus are',
        'video/H264',
      )
    }, WAIT)
  })
})
