import type { IncomingMessage } from 'node:http'
import { ClientInfo_Capability, DisconnectReason } from '@livekit/protocol'
import type { WebSocket } from 'ws'
import { bearerOf, HttpRefusal } from '../api/http.ts'
import { type ApiKeys, type Claims, TokenError, verifyToken } from '../api/tokens.ts'
import type { Log } from '../lib/log.ts'
import { join, resume } from './joining.ts'
import type { ClientDescription } from './participant.ts'
import { leaveOf, START_OVER } from './room.ts'
import type { Rooms } from './rooms.ts'
import { serveSocket } from './signal-session.ts'
import { SignalSocket } from './signal-socket.ts'

const NAME_LENGTH_MAX = 256

export interface SignalRouteOptions {
  rooms: Rooms
  apiKeys: ApiKeys
  /** A join creates the room when it is absent. */
  autoCreate: boolean
  log: Log
}

/** A request to join that has passed every check. */
export interface Admission {
  claims: Claims
  roomName: string
  query: URLSearchParams
}

/** Checks a request to join, before the upgrade. Throws HttpRefusal. */
export async function admit(
  request: IncomingMessage,
  options: SignalRouteOptions,
): Promise<Admission> {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams
  // With this parameter a client means the other, single-connection signalling.
  if (query.has('join_request')) throw new HttpRefusal(404, 'not found')

  const claims = await claimsOf(
    bearerOf(request) ?? query.get('access_token') ?? '',
    options.apiKeys,
  )
  const { roomJoin, room: roomName = '' } = claims.video
  if (roomJoin !== true || roomName === '') throw new HttpRefusal(401, 'permissions denied')
  if (claims.identity === '') throw new HttpRefusal(400, 'identity cannot be empty')
  if (claims.identity.length > NAME_LENGTH_MAX || roomName.length > NAME_LENGTH_MAX) {
    throw new HttpRefusal(400, `name exceeds the length limit of ${NAME_LENGTH_MAX}`)
  }
  if (!options.autoCreate && options.rooms.find(roomName) === undefined) {
    throw new HttpRefusal(404, 'requested room does not exist')
  }
  if (options.rooms.find(roomName)?.removals.isRefused(claims) === true) {
    throw new HttpRefusal(401, 'the participant was removed after this token was issued')
  }
  return { claims, roomName, query }
}

/** Takes over an upgraded socket: a resume of a living connection, or a new one. */
export function connect(
  { claims, roomName, query }: Admission,
  ws: WebSocket,
  { rooms, autoCreate, log }: SignalRouteOptions,
): void {
  const socket = new SignalSocket(ws, log)
  const room = autoCreate ? rooms.create(roomName) : rooms.find(roomName)
  if (room === undefined) {
    socket.send({ case: 'leave', value: leaveOf({ reason: DisconnectReason.ROOM_DELETED }) })
    socket.close()
    return
  }
  const sid = query.get('sid') ?? ''
  if (query.get('reconnect') !== '1') {
    const participant = join(room, claims, describeClient(query), socket)
    if (participant !== undefined) serveSocket(room, participant, socket)
    return
  }
  const participant = resume(room, claims.identity, sid, socket)
  if (participant === undefined) {
    socket.send({ case: 'leave', value: leaveOf(START_OVER) })
    socket.close()
    return
  }
  serveSocket(room, participant, socket)
}

async function claimsOf(token: string, apiKeys: ApiKeys): Promise<Claims> {
  if (token === '') throw new HttpRefusal(401, 'no permissions to access the room')
  try {
    return await verifyToken(token, apiKeys)
  } catch (error) {
    if (error instanceof TokenError) throw new HttpRefusal(401, error.message)
    throw error
  }
}

function describeClient(query: URLSearchParams): ClientDescription {
  const names = (query.get('capabilities') ?? '').split(',')
  return {
    isAutoSubscribing: !['0', 'false'].includes(query.get('auto_subscribe') ?? '1'),
    canBePaused: ['1', 'true'].includes(query.get('subscriber_allow_pause') ?? ''),
    protocol: Number(query.get('protocol') ?? 0),
    clientProtocol: Number(query.get('client_protocol') ?? 0),
    capabilities: names.flatMap((name) => {
      const value = ClientInfo_Capability[name as keyof typeof ClientInfo_Capability]
      return typeof value === 'number' ? [value] : []
    }),
  }
}
