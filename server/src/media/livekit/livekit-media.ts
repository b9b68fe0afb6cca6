import {
  type ParticipantInfo,
  ParticipantInfo_State,
  type Room,
  RoomServiceClient,
  TrackSource,
} from 'livekit-server-sdk'
import type { Config } from '../../config.ts'
import { type Media, type MediaConnection, MediaError } from '../media.ts'
import { createEgressCalls } from './egress-calls.ts'
import { signJoinToken } from './join-token.ts'
import { asMediaError, goneIsDone } from './provider-errors.ts'

/** After how long a call gives up. */
export interface LivekitTimeouts {
  roomsSec: number
  /** The provider looks for a worker meanwhile, and a stop waits for the answer of the worker. */
  egressSec: number
}

export const LIVEKIT_TIMEOUTS: LivekitTimeouts = { roomsSec: 3, egressSec: 8 }

type LivekitAccess = Omit<Config['livekit'], 'acceptedKeys'>

/** The media provider through LiveKit's server API. */
export function createLivekitMedia(config: LivekitAccess, timeouts = LIVEKIT_TIMEOUTS): Media {
  const rooms = new RoomServiceClient(config.apiUrl, config.apiKey, config.apiSecret, {
    requestTimeout: timeouts.roomsSec,
    failover: false,
  })

  async function exists(name: string): Promise<boolean> {
    const found = await asMediaError('look for the media room', () => rooms.listRooms([name]))
    return found.length > 0
  }

  return {
    async ensureRoom({ name, emptyTimeoutSec, metadata }) {
      const made = await asMediaError('create the media room', () =>
        rooms.createRoom({
          name,
          // The first counts until somebody has come, the second after the last one left.
          emptyTimeout: emptyTimeoutSec,
          departureTimeout: emptyTimeoutSec,
          metadata: JSON.stringify(metadata),
        }),
      )
      if (made.sid === '') throw new MediaError('the provider answered a media room without sid')
      return { sid: made.sid, emptyTimeoutSec: made.emptyTimeout }
    },

    async deleteRoom(name) {
      await goneIsDone('delete the media room', () => rooms.deleteRoom(name))
    },

    async listRooms(names) {
      // To the provider no names are all names.
      if (names.length === 0) return []
      const found = await asMediaError('list media rooms', () => rooms.listRooms([...names]))
      return found.map((each) => toRoom(each))
    },

    async listConnections(mediaRoom) {
      const found = await goneIsDone('list connections', () => rooms.listParticipants(mediaRoom))
      // Nobody in the media room and no media room can be the same empty answer.
      if (found === undefined || (found.length === 0 && !(await exists(mediaRoom))))
        return undefined
      return found.map((participant) => toConnection(participant))
    },

    async removeConnection(mediaRoom, identity) {
      await goneIsDone('remove a connection', () => rooms.removeParticipant(mediaRoom, identity))
    },

    async muteMicrophone(mediaRoom, identity) {
      const found = await goneIsDone('look for a microphone', () =>
        rooms.getParticipant(mediaRoom, identity),
      )
      const open = (found?.tracks ?? []).filter(
        ({ source, muted }) => source === TrackSource.MICROPHONE && !muted,
      )
      for (const { sid } of open) {
        await goneIsDone('mute a microphone', () =>
          rooms.mutePublishedTrack(mediaRoom, identity, sid, true),
        )
      }
    },

    ...createEgressCalls(config, timeouts.egressSec),

    signToken: (grant) => signJoinToken(config, grant),

    async check() {
      await asMediaError('reach the provider', () => rooms.listRooms(['readiness']))
    },
  }
}

function toRoom({ name, sid, numParticipants }: Room) {
  return { name, sid, connectionCount: numParticipants }
}

/** `ParticipantInfo.Kind`; hidden people have that of agents, see join-token.ts. */
const STANDARD_KIND = 0
const AGENT_KIND = 4

function toConnection(participant: ParticipantInfo): MediaConnection {
  const { identity, sid, kind, state, permission, joinedAt, joinedAtMs, tracks } = participant
  // The client does not export the names of the kinds.
  const kindNumber: number = kind
  const isRobot = permission?.recorder === true || permission?.agent === true
  const isHiddenPerson = kindNumber === AGENT_KIND && permission?.hidden === true
  return {
    identity,
    sid,
    joinedAt: new Date(joinedAtMs > 0n ? Number(joinedAtMs) : Number(joinedAt) * 1000),
    isPerson: !isRobot && (kindNumber === STANDARD_KIND || isHiddenPerson),
    isActive: state === ParticipantInfo_State.ACTIVE,
    isPublishing: tracks.length > 0,
  }
}
