import {
  type EgressInfo,
  ListEgressRequest,
  ParticipantEgressRequest,
  RoomCompositeEgressRequest,
  StopEgressRequest,
  TrackCompositeEgressRequest,
  TrackEgressRequest,
  UpdateLayoutRequest,
  UpdateStreamRequest,
  WebEgressRequest,
} from '@livekit/protocol'
import type { Claims } from './tokens.ts'
import { method, TwirpError, type TwirpMethod } from './twirp.ts'

const REQUESTS = {
  StartRoomCompositeEgress: RoomCompositeEgressRequest,
  StartParticipantEgress: ParticipantEgressRequest,
  StartTrackCompositeEgress: TrackCompositeEgressRequest,
  StartTrackEgress: TrackEgressRequest,
  StartWebEgress: WebEgressRequest,
  UpdateLayout: UpdateLayoutRequest,
  UpdateStream: UpdateStreamRequest,
  ListEgress: ListEgressRequest,
  StopEgress: StopEgressRequest,
} as const

/** The methods of livekit.Egress: they answer as a server that has no egress worker. */
export function egressService(): Record<string, TwirpMethod> {
  return Object.fromEntries(
    Object.entries(REQUESTS).map(([name, input]) => [
      name,
      method(input as typeof ListEgressRequest, (_request, claims) => refuse(claims)),
    ]),
  )
}

function refuse({ video }: Claims): EgressInfo {
  if (video.roomRecord !== true) throw new TwirpError('unauthenticated', 'permissions denied')
  const text = 'twirp error unknown: egress not connected (redis required)'
  throw new TwirpError('internal', text)
}
