import { SessionDescription, SignalTarget, TrickleRequest } from '@livekit/protocol'
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { RTCPeerConnection } from 'werift'
import { openRawClient, type RawClient } from '../../test/support/raw-client.ts'
import { withoutGenerations } from '../rtc/werift/ice-restart.ts'
import { type MediaServer, startMediaServer } from '../server.ts'
import { SignalBounds } from './signal-bounds.ts'
import type { SignalDemand } from './signal-socket.ts'

const KEY = 'devkey'
const SECRET = 'a-secret-of-at-least-thirty-two-characters'
/** Descriptions that took 22 seconds and a minute before they were refused. */
const UNNOTICED_MS = 5_000

let server: MediaServer
let roomName = ''
let roomCount = 0

beforeAll(async () => {
  server = await startMediaServer({ host: '127.0.0.1', port: 0, apiKeys: { [KEY]: SECRET } })
})

beforeEach(async () => {
  roomName = `room-${++roomCount}`
  await new RoomServiceClient(server.url, KEY, SECRET).createRoom({ name: roomName })
})

afterAll(async () => server.close())

async function enter(identity: string): Promise<RawClient> {
  const token = new AccessToken(KEY, SECRET, { identity })
  token.addGrant({ roomJoin: true, room: roomName })
  return openRawClient(server.url, await token.toJwt())
}

const offerOf = (sdp: string, id = 1): SignalDemand => ({
  case: 'offer',
  value: new SessionDescription({ type: 'offer', sdp, id }),
})

const candidateLine = (at: number) =>
  `candidate:${at} 1 udp 2122260223 10.0.${at >> 8}.${at & 255} ${1024 + (at % 60_000)} typ host`

const trickleOf = (at: number): SignalDemand => ({
  case: 'trickle',
  value: new TrickleRequest({
    target: SignalTarget.PUBLISHER,
    candidateInit: JSON.stringify({ candidate: candidateLine(at), sdpMid: '0', sdpMLineIndex: 0 }),
  }),
})

const PING: SignalDemand = { case: 'ping', value: 1n }

async function browserOffer(): Promise<string> {
  const pc = new RTCPeerConnection({ iceServers: [] })
  pc.addTransceiver('video', { direction: 'sendonly' })
  await pc.setLocalDescription(await pc.createOffer())
  await pc.close()
  return pc.localDescription?.sdp ?? ''
}

const repeat = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `a=${line(at)}\r\n`).join('')

describe('a client that asks for more than an interview needs', () => {
  test.each<[string, string, (sdp: string) => SignalDemand[]]>([
    [
      'an offer of 41 sections',
      'too many media sections',
      (sdp) => [offerOf(sdp + sdp.slice(sdp.indexOf('m=')).repeat(40))],
    ],
    [
      'an offer of 2,000 streams',
      'too many streams',
      (sdp) => [offerOf(sdp + repeat(2000, (at) => `ssrc:${at + 1} cname:x`))],
    ],
    [
      'offers on top of each other',
      'too many concurrent offers',
      (sdp) => [1, 2, 3, 4].map((id) => offerOf(sdp, id)),
    ],
    [
      'messages without a pause',
      'too many messages',
      () => Array.from({ length: 2000 }, () => PING),
    ],
  ])('is disconnected, with the reason: %s', async (_what, reason, demandsOf) => {
    const demands = demandsOf(await browserOffer())
    const client = await enter('mallory')
    client.send(...demands)
    expect(await client.closed).toEqual({ code: 1008, reason })
    expect((await client.received('leave')).value.canReconnect).toBe(true)
    const listed = await new RoomServiceClient(server.url, KEY, SECRET).listParticipants(roomName)
    expect(listed).toEqual([])
  })

  test.each<[string, (sdp: string) => SignalDemand[]]>([
    ['an offer of 320 kB', (sdp) => [offerOf(sdp + repeat(4000, candidateLine))]],
    ['30,000 candidates', () => Array.from({ length: 30_000 }, (_, at) => trickleOf(at))],
  ])('is not noticed by others: %s', async (_what, demandsOf) => {
    const demands = demandsOf(await browserOffer())
    const alice = await enter('alice')
    const mallory = await enter('mallory')
    mallory.send(...demands)
    await mallory.closed
    const askedAt = performance.now()
    alice.send(PING)
    await alice.received('pong')
    expect(performance.now() - askedAt).toBeLessThan(UNNOTICED_MS)
    alice.close()
  })

  test('is disconnected immediately for a message that is too large, with the close code 1009', async () => {
    const client = await enter('mallory')
    client.send(offerOf('x'.repeat(128 * 1024)))
    expect(await client.closed).toMatchObject({ code: 1009 })
    const listed = await new RoomServiceClient(server.url, KEY, SECRET).listParticipants(roomName)
    expect(listed).toEqual([])
  })
})

test('a client with many addresses is not refused for its candidates', async () => {
  const client = await enter('alice')
  const offer = (await browserOffer()) + repeat(1200, candidateLine)
  client.send(...Array.from({ length: 400 }, (_, at) => trickleOf(at)), offerOf(offer), PING)
  await client.received('pong')
  await client.received('answer')
  const listed = await new RoomServiceClient(server.url, KEY, SECRET).listParticipants(roomName)
  expect(listed.map(({ identity }) => identity)).toEqual(['alice'])
  client.close()
})

describe('the bounds of a client', () => {
  test('leave out the 101st candidate, and take more after an ICE restart', () => {
    const bounds = new SignalBounds()
    const at = { nowMs: 0, sectionsOffered: 1 }
    const takes = () => bounds.takesCandidate(SignalTarget.PUBLISHER)
    const fill = () => Array.from({ length: 100 }, takes)
    expect(bounds.breachOf(offerOf('a=ice-ufrag:one\r\n'), at)).toBeUndefined()
    expect(fill().every(Boolean)).toBe(true)
    expect(takes()).toBe(false)
    expect(bounds.breachOf(offerOf('a=ice-ufrag:two\r\n'), at)).toBeUndefined()
    expect(fill().every(Boolean)).toBe(true)
  })

  test('allow further offers once the former ones are answered, with pauses', async () => {
    const bounds = new SignalBounds()
    const offer = offerOf('a=ice-ufrag:one\r\n')
    const offerAt = (nowMs: number) => bounds.breachOf(offer, { nowMs, sectionsOffered: 1 })
    for (let count = 0; count < 30; count++) {
      expect(offerAt(0)).toBeUndefined()
      await bounds.whileOffering(async () => {})
    }
    expect(offerAt(0)).toBe('too many offers')
    expect(offerAt(1000)).toBeUndefined()
  })

  test('allow an answer with as many sections as were offered', () => {
    const answer: SignalDemand = {
      case: 'answer',
      value: new SessionDescription({ type: 'answer', sdp: 'm=audio 9\r\n'.repeat(80) }),
    }
    const breachOf = (sectionsOffered: number) =>
      new SignalBounds().breachOf(answer, { nowMs: 0, sectionsOffered })
    expect(breachOf(80)).toBeUndefined()
    expect(breachOf(79)).toBe('too many media sections')
  })
})

test('one long line of a description costs no more than many short ones', () => {
  const started = performance.now()
  const text = `a=x:${'candidate:'.repeat(200_000)}\r\n`
  expect(withoutGenerations(text)).toBe(text)
  expect(performance.now() - started).toBeLessThan(UNNOTICED_MS)
  expect(withoutGenerations('a=candidate:1 1 udp 1 1.1.1.1 1 typ host generation 2 x\r\n')).toBe(
    'a=candidate:1 1 udp 1 1.1.1.1 1 typ host x\r\n',
  )
})

test('connections for the API outlive those of a balancer', async () => {
  const answer = await fetch(server.url)
  expect(answer.headers.get('keep-alive')).toBe('timeout=65')
})
