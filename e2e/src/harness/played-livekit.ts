import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** The part of LiveKit's server API that bookings, entries and attendance use, without any media. */
export interface PlayedLivekit {
  url: string
  /** Connects a person to a room: media identity and connection id. */
  join(room: string, identity: string, sid: string): void
  leave(room: string, identity: string): void
  close(): Promise<void>
}

interface RequestBody {
  room?: string
  name?: string
  names?: string[]
  identity?: string
}

export async function playLivekit(): Promise<PlayedLivekit> {
  const rooms = new Map<string, Map<string, string>>()

  const methods: Record<string, (asked: RequestBody) => object> = {
    CreateRoom({ name = '' }) {
      rooms.set(name, rooms.get(name) ?? new Map())
      return { name, sid: `RM_${name}`, empty_timeout: 86_400 }
    },
    ListRooms({ names = [] }) {
      const known = names.filter((name) => rooms.has(name))
      return {
        rooms: known.map((name) => ({
          name,
          sid: `RM_${name}`,
          num_participants: rooms.get(name)?.size,
        })),
      }
    },
    ListParticipants({ room = '' }) {
      const inside = [...(rooms.get(room) ?? [])]
      const joinedAt = String(Math.floor(Date.now() / 1000))
      return {
        participants: inside.map(([identity, sid]) => ({
          identity,
          sid,
          state: 'ACTIVE',
          joined_at: joinedAt,
        })),
      }
    },
    RemoveParticipant({ room = '', identity = '' }) {
      rooms.get(room)?.delete(identity)
      return {}
    },
    UpdateParticipant: () => ({}),
    DeleteRoom({ room = '' }) {
      rooms.delete(room)
      return {}
    },
    ListEgress: () => ({ items: [] }),
  }

  const server = createServer((request, response) => {
    // It has rooms and no signalling, which the service asks for to mask arrivals.
    if (request.method !== 'POST') {
      response.writeHead(404).end()
      return
    }
    const method = request.url?.split('/').at(-1) ?? ''
    const answered = json(request).then((asked) => {
      const answer = methods[method]?.(asked as RequestBody)
      const status = answer === undefined ? 404 : 200
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer ?? { code: 'bad_route', msg: method }))
    })
    // A request whose sender was killed is cut off.
    answered.catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    join: (room, identity, sid) => rooms.get(room)?.set(identity, sid),
    leave: (room, identity) => rooms.get(room)?.delete(identity),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
