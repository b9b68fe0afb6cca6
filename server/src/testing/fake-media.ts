import { randomUUID } from 'node:crypto'
import { type Media, type MediaConnection, MediaError, type MediaRoomSpec } from '../media/media.ts'

/** A media provider in memory, with what a test needs to put into it and to break it. */
export interface FakeMedia extends Media {
  rooms: Map<string, { sid: string; spec: MediaRoomSpec }>
  /** Media room -> who is connected. */
  connections: Map<string, MediaConnection[]>
  /** Every call in order, as `name argument`. */
  calls: string[]
  /** While true, every call fails as if the provider were down. */
  isDown: boolean
  /** Runs before each call answers; throw or wait in it. */
  onCall: ((call: string) => Promise<void> | void) | undefined
  connect(mediaRoom: string, identity: string, joinedAt?: Date): MediaConnection
  disconnect(mediaRoom: string, identity: string): void
}

export function createFakeMedia(): FakeMedia {
  const rooms: FakeMedia['rooms'] = new Map()
  const connections: FakeMedia['connections'] = new Map()

  async function called(call: string): Promise<void> {
    fake.calls.push(call)
    await fake.onCall?.(call)
    if (fake.isDown) throw new MediaError('the provider is down')
  }

  const fake: FakeMedia = {
    rooms,
    connections,
    calls: [],
    isDown: false,
    onCall: undefined,

    connect(mediaRoom, identity, joinedAt = new Date()) {
      const connection = newConnection(identity, joinedAt)
      fake.disconnect(mediaRoom, identity)
      connections.set(mediaRoom, [...(connections.get(mediaRoom) ?? []), connection])
      return connection
    },

    disconnect(mediaRoom, identity) {
      const left = (connections.get(mediaRoom) ?? []).filter((each) => each.identity !== identity)
      connections.set(mediaRoom, left)
    },

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
      return names.flatMap((name) => {
        const room = rooms.get(name)
        return room === undefined ? [] : [{ name, sid: room.sid }]
      })
    },

    async listConnections(mediaRoom) {
      await called(`listConnections ${mediaRoom}`)
      return rooms.has(mediaRoom) ? (connections.get(mediaRoom) ?? []) : undefined
    },

    async removeConnection(mediaRoom, identity) {
      await called(`removeConnection ${identity}`)
      fake.disconnect(mediaRoom, identity)
    },

    muteMicrophone: (_mediaRoom, identity) => called(`muteMicrophone ${identity}`),

    async signToken(grant) {
      return `media-token-of-${grant.identity}`
    },

    check: () => called('check'),
  }
  return fake
}

function newConnection(identity: string, joinedAt: Date): MediaConnection {
  return { identity, sid: newSid('PA'), joinedAt, isPerson: true, isActive: true }
}

const newSid = (prefix: string) => `${prefix}_${randomUUID().slice(0, 12)}`
