import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import {
  type HeardSound,
  type Media,
  ALL_RIGHTS,
  type MediaConnection,
  MediaError,
  type MediaRights,
  type MediaRoomSpec,
} from '../platform/ports/media.ts'
import { createFakeEgress, type FakeEgress } from './fake-egress.ts'

/** A media provider in memory, with what a test needs to put into it and to break it. */
export interface FakeMedia extends Media, FakeEgress {
  rooms: Map<string, { sid: string; spec: MediaRoomSpec }>
  /** Connections by media room. */
  connections: Map<string, MediaConnection[]>
  /** Identities of connected people whom the provider does not count. */
  hidden: Set<string>
  /** The rights that the newest token of each identity gave. */
  signed: Map<string, MediaRights>
  /** Every call in order, as `name argument`. */
  calls: string[]
  /** While true, every call fails as if the provider were down. */
  isDown: boolean
  /** True if it reports arrivals. */
  masksArrivals: boolean
  /** Listeners by media room; a test speaks to them. Empty while nobody listens. */
  listeners: Map<string, (sound: HeardSound) => void>
  /** The connections of the listeners in this media room are lost. */
  loseListeners(mediaRoom: string): void
  /** Runs before each call answers; throw or wait in it. */
  onCall: ((call: string) => Promise<void> | void) | undefined
  connect(mediaRoom: string, identity: string, joinedAt?: Date): MediaConnection
  /** A connected person begins to publish. */
  publish(mediaRoom: string, identity: string): void
  disconnect(mediaRoom: string, identity: string): void
  /** Makes it as new: for a test that counts rooms or calls beside others of its file. */
  reset(): void
}

/** A provider that fails nothing. */
const WELL = { isDown: false, masksArrivals: false, onCall: undefined }

/** A listener hears what a test says, until it leaves. */
function fakeListeners(
  called: (call: string) => Promise<void>,
): Pick<FakeMedia, 'listen' | 'listeners' | 'loseListeners'> {
  const losses = new EventEmitter()
  const listeners: FakeMedia['listeners'] = new Map()
  return {
    listeners,
    loseListeners: (mediaRoom) => void losses.emit(mediaRoom),
    async listen(mediaRoom, hear, signal) {
      await called(`listen ${mediaRoom}`)
      signal.throwIfAborted()
      const ended = Promise.withResolvers<boolean>()
      signal.addEventListener('abort', () => ended.reject(signal.reason))
      losses.once(mediaRoom, () => ended.resolve(true))
      listeners.set(mediaRoom, hear)
      try {
        return await ended.promise
      } finally {
        if (listeners.get(mediaRoom) === hear) listeners.delete(mediaRoom)
      }
    },
  }
}

export function createFakeMedia(): FakeMedia {
  const rooms: FakeMedia['rooms'] = new Map()
  const people = fakePeople()
  const { connections, disconnect, signed } = people
  const egressCalls = createFakeEgress(called)

  async function called(call: string): Promise<void> {
    fake.calls.push(call)
    await fake.onCall?.(call)
    if (fake.isDown) throw new MediaError('the provider is down')
  }

  const fake: FakeMedia = {
    rooms,
    ...people,
    updateRights: rightsCall(called, connections),
    hidden: new Set(),
    ...fakeListeners(called),
    calls: [],
    ...WELL,

    async ensureRoom(spec) {
      await called(`ensureRoom ${spec.name}`)
      const known = rooms.get(spec.name)
      const room = known ?? { sid: newSid('RM'), spec }
      rooms.set(spec.name, room)
      return { sid: room.sid, emptyTimeoutSec: room.spec.emptyTimeoutSec }
    },

    async deleteRoom(name) {
      await called(`deleteRoom ${name}`)
      rooms.delete(name)
      connections.delete(name)
    },

    async listRooms(names) {
      await called('listRooms')
      return names.flatMap((name) => roomOf(fake, name))
    },

    async listConnections(mediaRoom) {
      await called(`listConnections ${mediaRoom}`)
      return rooms.has(mediaRoom) ? (connections.get(mediaRoom) ?? []) : undefined
    },

    async removeConnection(mediaRoom, identity) {
      await called(`removeConnection ${identity}`)
      disconnect(mediaRoom, identity)
    },

    muteMicrophone: (_mediaRoom, identity) => called(`muteMicrophone ${identity}`),

    maskArrivals: (room) => called(`maskArrivals ${room}`).then(() => fake.masksArrivals),

    ...egressCalls,

    check: () => called('check'),

    reset() {
      rooms.clear()
      connections.clear()
      signed.clear()
      fake.hidden.clear()
      fake.resetEgresses()
      fake.calls.length = 0
      Object.assign(fake, WELL)
    },
  }
  return fake
}

function rightsCall(
  called: (call: string) => Promise<void>,
  connections: FakeMedia['connections'],
): FakeMedia['updateRights'] {
  return async (mediaRoom, { identity, rights }) => {
    await called(`updateRights ${identity}`)
    const found = connections.get(mediaRoom)?.find((each) => each.identity === identity)
    if (found !== undefined) found.rights = rights
  }
}

function roomOf({ rooms, connections, hidden }: FakeMedia, name: string) {
  const room = rooms.get(name)
  if (room === undefined) return []
  const counted = connections.get(name)?.filter(({ identity }) => !hidden.has(identity))
  return [{ name, sid: room.sid, connectionCount: counted?.length ?? 0 }]
}

function fakePeople(): Pick<
  FakeMedia,
  'connections' | 'connect' | 'publish' | 'disconnect' | 'signed' | 'signToken' | 'addressOf'
> {
  const connections: FakeMedia['connections'] = new Map()
  const signed: FakeMedia['signed'] = new Map()

  function disconnect(mediaRoom: string, identity: string): void {
    const left = (connections.get(mediaRoom) ?? []).filter((each) => each.identity !== identity)
    connections.set(mediaRoom, left)
  }

  return {
    connections,
    disconnect,
    signed,

    async signToken({ identity, rights }) {
      signed.set(identity, rights)
      return `media-token-of-${identity}`
    },

    addressOf: async () => 'wss://media.test',

    connect(mediaRoom, identity, joinedAt = new Date()) {
      const rights = signed.get(identity) ?? ALL_RIGHTS
      const connection = { ...newConnection(identity, joinedAt), rights }
      disconnect(mediaRoom, identity)
      connections.set(mediaRoom, [...(connections.get(mediaRoom) ?? []), connection])
      return connection
    },

    publish(mediaRoom, identity) {
      const found = connections.get(mediaRoom)?.find((each) => each.identity === identity)
      if (found === undefined) throw new Error('is not connected')
      found.isPublishing = true
      found.isSending = true
    },
  }
}

function newConnection(identity: string, joinedAt: Date): Omit<MediaConnection, 'rights'> {
  const sid = newSid('PA')
  return {
    identity,
    sid,
    joinedAt,
    isPerson: true,
    isActive: true,
    isPublishing: false,
    isSending: false,
  }
}

const newSid = (prefix: string) => `${prefix}_${randomUUID().slice(0, 12)}`
