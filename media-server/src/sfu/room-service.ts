import {
  CreateRoomRequest,
  DeleteRoomRequest,
  DeleteRoomResponse,
  DisconnectReason,
  ListParticipantsRequest,
  ListParticipantsResponse,
  ListRoomsRequest,
  ListRoomsResponse,
  MuteRoomTrackRequest,
  MuteRoomTrackResponse,
  RemoveParticipantResponse,
  RoomParticipantIdentity,
  SendDataRequest,
  SendDataResponse,
  UpdateParticipantRequest,
  UpdateRoomMetadataRequest,
  UpdateSubscriptionsRequest,
  UpdateSubscriptionsResponse,
  type ParticipantInfo,
  type ParticipantPermission,
} from '@livekit/protocol'
import type { Claims, VideoGrant } from '../api/tokens.ts'
import { method, TwirpError, type TwirpMethod } from '../api/twirp.ts'
import { sendServerData } from './data.ts'
import { refreshToken } from './joining.ts'
import { leave } from './leaving.ts'
import type { Participant } from './participant.ts'
import { setMuted, unpublishForbidden } from './publishing.ts'
import type { Room } from './room.ts'
import type { Rooms } from './rooms.ts'
import { setDescription } from './signal-session.ts'
import { updateSubscription, publicationsFor, subscribe, unsubscribe } from './subscriptions.ts'

const NAME_LENGTH_MAX = 256
const METADATA_BYTES_MAX = 512 * 1024

/** The methods of livekit.RoomService by name. */
export function roomService(rooms: Rooms): Record<string, TwirpMethod> {
  return {
    CreateRoom: method(CreateRoomRequest, (request, claims) => createRoom(rooms, request, claims)),
    ListRooms: method(ListRoomsRequest, ({ names }, claims) => {
      allow(claims.video.roomList)
      const listed = rooms.list().filter(({ name }) => names.length === 0 || names.includes(name))
      return new ListRoomsResponse({ rooms: listed.map((room) => room.toInfo()) })
    }),
    DeleteRoom: method(DeleteRoomRequest, (request, claims) => {
      allow(claims.video.roomCreate)
      rooms.delete(existing(rooms, request.room), DisconnectReason.ROOM_DELETED)
      return new DeleteRoomResponse()
    }),
    UpdateRoomMetadata: method(UpdateRoomMetadataRequest, (request, claims) => {
      const room = administered(rooms, request.room, claims)
      checkMetadata(request.metadata)
      room.settings = { ...room.settings, metadata: request.metadata }
      room.sendRoomUpdate()
      return room.toInfo()
    }),
    SendData: method(SendDataRequest, (request, claims) => {
      sendServerData(administered(rooms, request.room, claims), request)
      return new SendDataResponse()
    }),
    ...participantMethods(rooms),
  }
}

function participantMethods(rooms: Rooms): Record<string, TwirpMethod> {
  return {
    ListParticipants: method(ListParticipantsRequest, (request, claims) => {
      allowAdmin(claims, request.room)
      const present = [...(rooms.find(request.room)?.participants.values() ?? [])]
      return new ListParticipantsResponse({ participants: present.map((one) => one.toInfo()) })
    }),
    GetParticipant: method(RoomParticipantIdentity, (request, claims) => {
      return findIn(administered(rooms, request.room, claims), request.identity).toInfo()
    }),
    RemoveParticipant: method(RoomParticipantIdentity, (request, claims) => {
      const room = administered(rooms, request.room, claims)
      const { identity } = request
      // Also who is not there: a token may be on its way.
      const used = room.participants.get(identity)?.claims
      room.removals.note(identity, { atMs: Date.now(), used })
      leave(room, findIn(room, identity), { reason: DisconnectReason.PARTICIPANT_REMOVED })
      return new RemoveParticipantResponse()
    }),
    MutePublishedTrack: method(MuteRoomTrackRequest, (request, claims) => {
      return mutePublishedTrack(administered(rooms, request.room, claims), request)
    }),
    UpdateParticipant: method(UpdateParticipantRequest, (request, claims) => {
      const room = administered(rooms, request.room, claims)
      checkMetadata(request.metadata)
      return updateParticipant(room, findIn(room, request.identity), request)
    }),
    UpdateSubscriptions: method(UpdateSubscriptionsRequest, (request, claims) => {
      const room = administered(rooms, request.room, claims)
      updateSubscription(room, findIn(room, request.identity), request)
      return new UpdateSubscriptionsResponse()
    }),
  }
}

function createRoom(rooms: Rooms, request: CreateRoomRequest, { video }: Claims) {
  allow(video.roomCreate)
  if (request.name.length > NAME_LENGTH_MAX) {
    throw new TwirpError('invalid_argument', `name exceeds the length limit of ${NAME_LENGTH_MAX}`)
  }
  checkMetadata(request.metadata)
  const room = rooms.create(request.name, {
    emptyTimeoutSec: request.emptyTimeout,
    departureTimeoutSec: request.departureTimeout,
    participantsMax: request.maxParticipants,
    metadata: request.metadata,
  })
  return room.toInfo()
}

function mutePublishedTrack(room: Room, request: MuteRoomTrackRequest): MuteRoomTrackResponse {
  const participant = findIn(room, request.identity)
  const track = participant.tracks.get(request.trackSid)
  if (track === undefined) throw notFound('track does not exist')
  // Nobody opens another person's microphone.
  if (!request.muted) throw new TwirpError('failed_precondition', 'remote unmute not enabled')

  setMuted(room, participant, { track, isMuted: true, by: 'server' })
  return new MuteRoomTrackResponse({ track: track.info })
}

function allow(grant: VideoGrant[keyof VideoGrant]): void {
  if (grant !== true) throw new TwirpError('unauthenticated', 'permissions denied')
}

function allowAdmin({ video }: Claims, roomName: string): void {
  allow(video.roomAdmin === true && video.room === roomName)
}

function administered(rooms: Rooms, roomName: string, claims: Claims): Room {
  allowAdmin(claims, roomName)
  return existing(rooms, roomName)
}

function existing(rooms: Rooms, roomName: string): Room {
  const room = rooms.find(roomName)
  if (room === undefined) throw notFound('requested room does not exist')
  return room
}

function findIn(room: Room, identity: string): Participant {
  const participant = room.participants.get(identity)
  if (participant === undefined) throw notFound('participant does not exist')
  return participant
}

// The production server's texts carry this prefix, and callers may have learnt it.
function notFound(what: string): TwirpError {
  return new TwirpError('not_found', `twirp error unknown: ${what}`)
}

function checkMetadata(metadata: string): void {
  if (Buffer.byteLength(metadata) <= METADATA_BYTES_MAX) return
  throw new TwirpError('invalid_argument', `metadata exceeds the limit of ${METADATA_BYTES_MAX}`)
}

/** An administrator's change of a participant. A permission set replaces the former as a whole. */
function updateParticipant(
  room: Room,
  participant: Participant,
  request: UpdateParticipantRequest,
): ParticipantInfo {
  setDescription(participant, request)
  if (request.permission !== undefined) setPermission(room, participant, request.permission)
  room.sendChange(participant)
  if (request.permission !== undefined) refreshToken(room, participant)
  return participant.toInfo()
}

function setPermission(
  room: Room,
  participant: Participant,
  permission: ParticipantPermission,
): void {
  participant.permission = permission
  unpublishForbidden(room, participant)
  if (!permission.canSubscribe) {
    unsubscribe(room, participant, participant.subscriber.trackSids)
  } else if (participant.client.isAutoSubscribing) {
    subscribe(room, participant, publicationsFor(room, participant))
  }
}
