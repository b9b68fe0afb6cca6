import { setImmediate as endOfTurn } from 'node:timers/promises'
import {
  DisconnectReason,
  LeaveRequest_Action,
  ParticipantInfo_State,
  ParticipantPermission,
  TrackInfo,
  TrackType,
} from '@livekit/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebhookSender } from '../api/webhooks.ts'
import { AwakeClock } from '../lib/awake-clock.ts'
import { silentLog } from '../lib/log.ts'
import { resume } from './joining.ts'
import { leave } from './leaving.ts'
import { Participant } from './participant.ts'
import { PublishedTrack } from './published-track.ts'
import type { Room, RoomContext } from './room.ts'
import { overdue, Rooms } from './rooms.ts'
import { serveSocket } from './signal-session.ts'
import type { SignalSocket } from './signal-socket.ts'

const heard = { isActive: true, socket: {}, enteredAgoMs: 600_000, silentMs: 0, wokeAgoMs: 900_000 }
const CONNECTION_TIMEOUT = {
  reason: DisconnectReason.CONNECTION_TIMEOUT,
  action: LeaveRequest_Action.RECONNECT,
}
const JOIN_FAILURE = { reason: DisconnectReason.JOIN_FAILURE }

describe('a participant', () => {
  test.each([
    ['that is heard stays', heard, undefined],
    [
      'whose socket closed stays while media arrives',
      { ...heard, socket: undefined, silentMs: 3000 },
      undefined,
    ],
    [
      'whose socket closed and that fell silent goes after four seconds',
      { ...heard, socket: undefined, silentMs: 4001 },
      CONNECTION_TIMEOUT,
    ],
    ['whose network is silent stays for twenty seconds', { ...heard, silentMs: 19_000 }, undefined],
    ['whose network stays silent longer goes', { ...heard, silentMs: 20_001 }, CONNECTION_TIMEOUT],
    [
      'that is connecting has its time',
      { ...heard, isActive: false, enteredAgoMs: 14_000, silentMs: 14_000 },
      undefined,
    ],
    ['that never connects goes', { ...heard, isActive: false, enteredAgoMs: 15_001 }, JOIN_FAILURE],
    [
      'that was silent when the server stood still has its time again',
      { ...heard, silentMs: 21_900, wokeAgoMs: 20_000 },
      undefined,
    ],
    [
      'that is silent after it as well goes',
      { ...heard, silentMs: 21_901, wokeAgoMs: 20_001 },
      CONNECTION_TIMEOUT,
    ],
    [
      'whose socket closed meanwhile has its time again, too',
      { ...heard, socket: undefined, silentMs: 7500, wokeAgoMs: 4000 },
      undefined,
    ],
    [
      'that was connecting meanwhile has its time again, too',
      { ...heard, isActive: false, enteredAgoMs: 16_900, wokeAgoMs: 15_000 },
      undefined,
    ],
  ])('%s', (_name, { isActive, socket, enteredAgoMs, silentMs, wokeAgoMs }, expected) => {
    const nowMs = 1_000_000
    const enteredAtMs = nowMs - enteredAgoMs
    const participant = { isActive, socket, enteredAtMs, lastActivityAtMs: nowMs - silentMs }
    const awake = { nowMs, wokeAtMs: nowMs - wokeAgoMs }
    expect(overdue(participant, awake, 15_000)).toEqual(expected)
  })
})

describe('the rooms of a server', () => {
  let readMs: number
  let context: RoomContext
  let rooms: Rooms

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    readMs = 5_000_000
    context = {
      apiKeys: {},
      rtc: {},
      log: silentLog,
      webhooks: new WebhookSender(undefined, silentLog),
      awake: new AwakeClock(() => readMs),
      joinTimeoutMs: 15_000,
    }
    rooms = new Rooms(context)
  })
  afterEach(() => {
    rooms.close()
    vi.useRealTimers()
  })

  /** Lets the server run for so long. */
  async function run(ms: number): Promise<void> {
    for (let ranMs = 0; ranMs < ms; ranMs += 500) {
      readMs += 500
      vi.advanceTimersByTime(500)
      await endOfTurn()
    }
  }

  /** The server runs again after so long, and a sweep is due. */
  async function standStill(ms: number, waiting = () => {}): Promise<void> {
    readMs += ms
    vi.setSystemTime(Date.now() + ms)
    vi.advanceTimersByTime(500)
    // The event loop reads the sockets after its timers.
    waiting()
    await endOfTurn()
  }

  function enter(room: Room, identity = 'alice') {
    const entered = arrive(room, identity)
    room.activate(entered.participant)
    return entered
  }

  /** Somebody whose media is not up yet. */
  function arrive(room: Room, identity: string) {
    const claims = { identity, name: '', metadata: '', attributes: {}, kind: '' }
    const token = { apiKey: 'key', tokenId: 'token', issuedAtSec: undefined, video: {} }
    const hooks = { onConnected: () => {}, onDataChannel: () => {} }
    const client = { isAutoSubscribing: true, canBePaused: false, capabilities: [] }
    const participant = new Participant(
      { ...claims, ...token },
      { ...client, protocol: 16, clientProtocol: 0 },
      { rtc: {}, log: silentLog, awake: context.awake, hooks },
    )
    const socket = { send: vi.fn<SignalSocket['send']>(), close: () => {} }
    participant.socket = socket as unknown as SignalSocket
    room.enter(participant)
    return { participant, socket }
  }

  /** The last update of somebody. */
  function lastHeardOf(identity: string, { socket }: ReturnType<typeof arrive>) {
    return socket.send.mock.calls
      .flatMap(([message]) => (message.case === 'update' ? message.value.participants : []))
      .findLast((info) => info.identity === identity)
  }

  function lastSpeakers({ socket }: ReturnType<typeof arrive>) {
    return socket.send.mock.calls
      .flatMap(([message]) => (message.case === 'speakersChanged' ? [message.value.speakers] : []))
      .at(-1)
  }

  test('keep who is heard after a standstill of the server, and remove who is not', async () => {
    const { participant } = enter(rooms.create('room'))
    await run(10_000)
    await standStill(60_000)
    await run(19_500)
    expect(participant.isGone).toBe(false)
    participant.noteActivity()
    await run(20_000)
    expect(participant.isGone).toBe(false)
    await run(500)
    expect(participant.isGone).toBe(true)
  })

  test('ask somebody who was silent for too long, and is there, for a new connection', async () => {
    const { socket } = enter(rooms.create('room'))
    await run(20_500)
    const last = socket.send.mock.calls.map(([message]) => message).at(-1)
    expect(last).toMatchObject({
      case: 'leave',
      value: { ...CONNECTION_TIMEOUT, canReconnect: true },
    })
  })

  test('give a client whose socket closes four seconds, however rarely its network is checked', async () => {
    const room = rooms.create('room')
    const { participant, socket } = enter(room)
    const signal = socket as unknown as SignalSocket
    serveSocket(room, participant, signal)
    await run(5000)
    signal.onClose()
    await run(4000)
    expect(participant.isGone).toBe(false)
    await run(500)
    expect(participant.isGone).toBe(true)
  })

  test('hear what waited for a server that was late before they judge', async () => {
    const { participant } = enter(rooms.create('room'))
    participant.socket = undefined
    await run(3000)
    await standStill(1500, () => participant.noteActivity())
    expect(participant.isGone).toBe(false)
  })

  test('lose nobody, and stay open, when the system clock is set', async () => {
    const room = rooms.create('room')
    const { participant } = enter(room)
    const empty = rooms.create('empty')
    for (const stepMs of [3_600_000, -7_200_000]) {
      vi.setSystemTime(Date.now() + stepMs)
      await run(1000)
    }
    expect([participant.isGone, room.isFinished, empty.isFinished]).toEqual([false, false, false])
  })

  test('know who left lately when the system clock is set', async () => {
    const room = rooms.create('room')
    const { participant } = enter(room)
    leave(room, participant, { reason: DisconnectReason.CLIENT_INITIATED })
    vi.setSystemTime(Date.now() + 3_600_000)
    expect(room.departed.map(({ identity }) => identity)).toEqual(['alice'])
  })

  test('let nobody stay in sight whose new connection never came up', async () => {
    const room = rooms.create('room')
    const watcher = enter(room, 'watcher')
    leave(room, enter(room).participant, { reason: DisconnectReason.DUPLICATE_IDENTITY })
    const { participant: second } = arrive(room, 'alice')
    expect(lastHeardOf('alice', watcher)).toMatchObject({ state: ParticipantInfo_State.ACTIVE })

    leave(room, second, JOIN_FAILURE)
    const { DISCONNECTED } = ParticipantInfo_State
    expect(lastHeardOf('alice', watcher)).toMatchObject({ state: DISCONNECTED })
  })

  test('report who speaks, and who does not, to a client that resumes', async () => {
    const room = rooms.create('room')
    const watcher = enter(room, 'watcher')
    const { participant: alice } = enter(room)
    const track = new PublishedTrack('cid', new TrackInfo({ sid: 'TR_AM', type: TrackType.AUDIO }))
    track.isAnnounced = true
    alice.tracks.set(track.sid, track)
    track.levels.observe(0)
    await run(500)
    expect(lastSpeakers(watcher)).toMatchObject([{ sid: alice.sid, active: true }])

    watcher.participant.socket = undefined
    await run(500)
    const { sid } = watcher.participant
    const socket = watcher.socket as unknown as SignalSocket
    resume(room, 'watcher', sid, socket)
    expect(lastSpeakers(watcher)).toMatchObject([{ sid: alice.sid, active: false }])
  })

  test('take somebody for present by the connection that they joined with', () => {
    const room = rooms.create('room')
    const { participant } = arrive(room, 'observer')
    vi.spyOn(participant.subscriber, 'isConnected', 'get').mockReturnValue(true)
    expect(participant.isPrimaryConnected).toBe(true)
    participant.permission = new ParticipantPermission({ hidden: true })
    expect(participant.isPrimaryConnected).toBe(true)
  })

  test('close an empty room after its time, of which a standstill is no part', async () => {
    const room = rooms.create('empty', { emptyTimeoutSec: 5 })
    await standStill(60_000)
    await run(3000)
    expect(room.isFinished).toBe(false)
    await run(500)
    expect(room.isFinished).toBe(true)
  })
})
