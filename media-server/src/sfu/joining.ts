import {
  Codec,
  DisconnectReason,
  ICEServer,
  JoinResponse,
  ParticipantInfo_State,
  ParticipantUpdate,
  ReconnectResponse,
  RoomUpdate,
  ServerInfo,
  ServerInfo_Edition,
} from '@livekit/protocol'
import { type Claims, signClaims } from '../api/tokens.ts'
import { newId } from '../lib/ids.ts'
import { reasonOf } from '../lib/log.ts'
import { sendAllStreamStates } from './adapt-subscribers.ts'
import { serveDataChannel } from './data.ts'
import { grantWith } from './grants.ts'
import { leave } from './leaving.ts'
import { type ClientDescription, Participant } from './participant.ts'
import { announceReady } from './publishing.ts'
import { leaveOf, type Room } from './room.ts'
import type { SignalSocket } from './signal-socket.ts'
import { negotiate, startReceiving } from './subscriptions.ts'

// The release whose protocol this server speaks; clients switch features by it.
const SERVER_VERSION = '1.13.5'
const SIGNAL_PROTOCOL = 17
const PING_INTERVAL_SEC = 5
const PING_TIMEOUT_SEC = 15
const NODE_ID = newId('ND_')
const PUBLISH_CODECS = ['video/VP8', 'audio/opus']

/** A new connection. The newest of an identity wins; undefined (and a leave) if the room is full. */
export function join(
  room: Room,
  claims: Claims,
  client: ClientDescription,
  socket: SignalSocket,
): Participant | undefined {
  const former = room.participants.get(claims.identity)
  if (former !== undefined) {
    leave(room, former, { reason: DisconnectReason.DUPLICATE_IDENTITY })
  }

  const { rtc, log, awake } = room.context
  const participant = new Participant(claims, client, {
    rtc,
    log,
    awake,
    hooks: {
      onConnected: () => {
        activate(room, participant)
        if (participant.subscriber.isChanged) negotiate(room, participant)
      },
      onDataChannel: (channel) => serveDataChannel(room, participant, channel),
    },
  })
  if (room.isFull && !participant.isDependent) {
    socket.send({ case: 'leave', value: leaveOf({ reason: DisconnectReason.JOIN_FAILURE }) })
    socket.close()
    void participant.closePeers()
    return undefined
  }
  participant.socket = socket
  participant.state = ParticipantInfo_State.JOINED
  room.enter(participant)
  socket.send({ case: 'join', value: joinResponse(room, participant) })
  refreshToken(room, participant)
  startReceiving(room, participant)
  return participant
}

/** The client lost its socket and comes back for the connection it had; false if there is none. */
export function resume(
  room: Room | undefined,
  identity: string,
  sid: string,
  socket: SignalSocket,
): Participant | undefined {
  const participant = room?.participants.get(identity)
  if (room === undefined || participant?.sid !== sid) return undefined

  const former = participant.socket
  participant.socket = socket
  former?.close()
  participant.noteActivity()
  const dropping = participant.dropsNextResume
  participant.dropsNextResume = undefined
  if (dropping === 'before-messages') {
    socket.close()
    return participant
  }
  sendReconnectResponse(room, participant)
  if (dropping === 'after-messages') socket.close()
  return participant
}

/** Sends the client a token with its present rights, for a later reconnect. */
export function refreshToken(room: Room, participant: Participant): void {
  const claims = {
    ...participant.claims,
    name: participant.name,
    metadata: participant.metadata,
    attributes: participant.attributes,
    video: grantWith(participant.claims.video, participant.permission),
  }
  void signClaims(claims, room.context.apiKeys)
    .then((value) => participant.send({ case: 'refreshToken', value }))
    .catch((error: unknown) => {
      room.context.log({ level: 'error', msg: 'token refresh failed', reason: reasonOf(error) })
    })
}

function activate(room: Room, participant: Participant): void {
  if (participant.isActive || !participant.isPrimaryConnected) return
  room.activate(participant)
  announceReady(room, participant)
}

function sendReconnectResponse(room: Room, participant: Participant): void {
  participant.send({
    case: 'reconnect',
    value: new ReconnectResponse({
      iceServers: iceServers(room),
      serverInfo: serverInfo(),
      lastMessageSeq: participant.lastReliableSequence,
    }),
  })
  const others = room.visible.filter((other) => other !== participant)
  participant.bumpVersion()
  const infos = [participant, ...others].map((one) => one.toInfo())
  const participants = [...infos, ...room.departed]
  participant.send({ case: 'update', value: new ParticipantUpdate({ participants }) })
  participant.send({
    case: 'roomUpdate',
    value: new RoomUpdate({ room: room.infoFor(participant) }),
  })
  sendAllStreamStates(participant)
  room.sendAllSpeakers(participant)
  refreshToken(room, participant)
  void participant.subscriber.restart().catch((error: unknown) => {
    room.context.log({ level: 'error', msg: 'resume failed', reason: reasonOf(error) })
    room.requestRejoin(participant)
  })
}

function joinResponse(room: Room, participant: Participant): JoinResponse {
  const { permission } = participant
  return new JoinResponse({
    room: room.infoFor(participant),
    participant: participant.toInfo(),
    otherParticipants: room.visible
      .filter((other) => other !== participant)
      .map((other) => other.toInfo()),
    subscriberPrimary: participant.isSubscriberPrimary,
    serverInfo: serverInfo(),
    serverVersion: SERVER_VERSION,
    iceServers: iceServers(room),
    pingInterval: PING_INTERVAL_SEC,
    pingTimeout: PING_TIMEOUT_SEC,
    enabledPublishCodecs: PUBLISH_CODECS.map((mime) => new Codec({ mime })),
    fastPublish: permission.canPublish,
  })
}

function iceServers({ context }: Room): ICEServer[] {
  const { turn } = context.rtc
  return turn === undefined ? [] : [new ICEServer(turn)]
}

function serverInfo(): ServerInfo {
  return new ServerInfo({
    edition: ServerInfo_Edition.Standard,
    version: SERVER_VERSION,
    protocol: SIGNAL_PROTOCOL,
    nodeId: NODE_ID,
  })
}
