import {
  CreateRoomRequest,
  DeleteRoomRequest,
  DeleteRoomResponse,
  ListParticipantsRequest,
  ListParticipantsResponse,
  ListRoomsRequest,
  ListRoomsResponse,
  MuteRoomTrackRequest,
  MuteRoomTrackResponse,
  ParticipantInfo,
  ParticipantInfo_State,
  RemoveParticipantResponse,
  Room,
  RoomParticipantIdentity,
  TrackSource,
  UpdateParticipantRequest,
} from '@livekit/protocol'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { isMaskIdentity, type Media, type MediaConnection, MediaError } from '../../ports/media.ts'
import { connectionKindOf } from '../../ports/participant-kind.ts'
import { createEgressCalls } from './egress-calls.ts'
import { permissionOf, signJoinToken, signUnseenToken } from './join-token.ts'
import { createListeners } from './listeners.ts'
import { type CallProvider, createProviderClient } from './provider-client.ts'
import { asMediaError, goneIsDone } from './provider-errors.ts'
import { createVisits } from './visits.ts'

/** Timeouts of calls. */
export interface LivekitTimeouts {
  roomsSec: number
  /** The provider looks for a worker meanwhile, and a stop waits for that worker's answer. */
  egressSec: number
}

export const LIVEKIT_TIMEOUTS: LivekitTimeouts = { roomsSec: 3, egressSec: 8 }

type LivekitAccess = Omit<Config['livekit'], 'acceptedKeys'> & { clock: Clock }

/** The media provider through LiveKit's server API. */
export function createLivekitMedia(config: LivekitAccess, timeouts = LIVEKIT_TIMEOUTS): Media {
  const visit = createVisits()
  const listen = createListeners()
  const rooms = roomCalls(createProviderClient(config, { callSec: timeouts.roomsSec }))

  async function exists(name: string): Promise<boolean> {
    const found = await asMediaError('look for the media room', () => rooms.list([name]))
    return found.length > 0
  }

  return {
    async ensureRoom({ name, emptyTimeoutSec, metadata }) {
      const made = await asMediaError('create the media room', () =>
        rooms.create({
          name,
          // The first timeout counts until somebody has come, the second one after the last person has left.
          emptyTimeout: emptyTimeoutSec,
          departureTimeout: emptyTimeoutSec,
          metadata: JSON.stringify(metadata),
        }),
      )
      if (made.sid === '') throw new MediaError('the provider answered a media room without sid')
      return { sid: made.sid, emptyTimeoutSec: made.emptyTimeout }
    },

    async deleteRoom(name) {
      await goneIsDone('delete the media room', () => rooms.delete(name))
    },

    async listRooms(names) {
      // The provider takes no names for all names.
      if (names.length === 0) return []
      const found = await asMediaError('list media rooms', () => rooms.list(names))
      return found.map((each) => toRoom(each))
    },

    async listConnections(mediaRoom) {
      const found = await goneIsDone('list connections', () => rooms.listParticipants(mediaRoom))
      // An empty media room and a missing one may give the same empty answer.
      if (found === undefined || (found.length === 0 && !(await exists(mediaRoom))))
        return undefined
      return found
        .filter(({ identity }) => !isMaskIdentity(identity))
        .map((participant) => toConnection(participant))
    },

    ...peopleCalls(rooms),

    ...createEgressCalls(config, timeouts.egressSec),

    async maskArrivals(mediaRoom, signal) {
      if (!config.masksArrivals) return false
      const token = signUnseenToken(config, { mediaRoom, listens: false })
      await visit({ url: config.apiUrl, token }, signal)
      return true
    },

    async listen(mediaRoom, hear, signal) {
      const token = signUnseenToken(config, { mediaRoom, listens: true })
      await listen({ url: config.apiUrl, token, hear }, signal)
      return true
    },

    signToken: (grant) => signJoinToken(config, grant),
    addressOf: async () => config.publicUrl,

    async check() {
      await asMediaError('reach the provider', () => rooms.list(['readiness']))
    },
  }
}

/** Calls that act on connected people. */
function peopleCalls(
  rooms: ReturnType<typeof roomCalls>,
): Pick<Media, 'removeConnection' | 'muteMicrophone' | 'updateRights'> {
  return {
    async removeConnection(mediaRoom, identity) {
      await goneIsDone('remove a connection', () => rooms.remove(mediaRoom, identity))
    },

    async muteMicrophone(mediaRoom, identity) {
      const found = await goneIsDone('look for a microphone', () => rooms.get(mediaRoom, identity))
      const open = (found?.tracks ?? []).filter(
        ({ source, muted }) => source === TrackSource.MICROPHONE && !muted,
      )
      for (const { sid: trackSid } of open) {
        await goneIsDone('mute a microphone', () =>
          rooms.mute({ room: mediaRoom, identity, trackSid, muted: true }),
        )
      }
    },

    async updateRights(mediaRoom, whose) {
      await goneIsDone('update rights', () =>
        rooms.update({
          room: mediaRoom,
          identity: whose.identity,
          permission: permissionOf(whose),
        }),
      )
    },
  }
}

/** The calls that we use of LiveKit's RoomService. */
function roomCalls(call: CallProvider) {
  return {
    create: (room: ConstructorParameters<typeof CreateRoomRequest>[0]) =>
      call('RoomService/CreateRoom', {
        grant: { roomCreate: true },
        body: new CreateRoomRequest(room),
        answer: Room,
      }),
    delete: (room: string) =>
      call('RoomService/DeleteRoom', {
        grant: { roomCreate: true },
        body: new DeleteRoomRequest({ room }),
        answer: DeleteRoomResponse,
      }),
    list: async (names: readonly string[]) => {
      const { rooms } = await call('RoomService/ListRooms', {
        grant: { roomList: true },
        body: new ListRoomsRequest({ names: [...names] }),
        answer: ListRoomsResponse,
      })
      return rooms
    },
    listParticipants: async (room: string) => {
      const { participants } = await call('RoomService/ListParticipants', {
        grant: { roomAdmin: true, room },
        body: new ListParticipantsRequest({ room }),
        answer: ListParticipantsResponse,
      })
      return participants
    },
    get: (room: string, identity: string) =>
      call('RoomService/GetParticipant', {
        grant: { roomAdmin: true, room },
        body: new RoomParticipantIdentity({ room, identity }),
        answer: ParticipantInfo,
      }),
    remove: (room: string, identity: string) =>
      call('RoomService/RemoveParticipant', {
        grant: { roomAdmin: true, room },
        body: new RoomParticipantIdentity({ room, identity }),
        answer: RemoveParticipantResponse,
      }),
    update: (
      change: ConstructorParameters<typeof UpdateParticipantRequest>[0] & { room: string },
    ) =>
      call('RoomService/UpdateParticipant', {
        grant: { roomAdmin: true, room: change.room },
        body: new UpdateParticipantRequest(change),
        answer: ParticipantInfo,
      }),
    mute: (track: { room: string; identity: string; trackSid: string; muted: boolean }) =>
      call('RoomService/MutePublishedTrack', {
        grant: { roomAdmin: true, room: track.room },
        body: new MuteRoomTrackRequest(track),
        answer: MuteRoomTrackResponse,
      }),
  }
}

function toRoom({ name, sid, numParticipants }: Room) {
  return { name, sid, connectionCount: numParticipants }
}

function toConnection(participant: ParticipantInfo): MediaConnection {
  const { identity, sid, kind, name, state, permission, joinedAt, joinedAtMs, tracks } = participant
  const { isPerson, guest } = connectionKindOf({ kind, name, permission })
  return {
    identity,
    sid,
    joinedAt: new Date(joinedAtMs > 0n ? Number(joinedAtMs) : Number(joinedAt) * 1000),
    isPerson,
    ...(guest !== undefined && { guest }),
    isActive: state === ParticipantInfo_State.ACTIVE,
    isPublishing: tracks.length > 0,
    isSending: tracks.some(({ muted }) => !muted),
    rights: {
      mayPublish: permission?.canPublish ?? true,
      mayReceive: permission?.canSubscribe ?? true,
      ...(permission?.canPublishSources.includes(TrackSource.SCREEN_SHARE) === true && {
        mayShareScreen: true,
      }),
    },
  }
}
