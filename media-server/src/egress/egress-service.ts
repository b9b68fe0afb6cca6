import {
  ListEgressRequest,
  ListEgressResponse,
  ParticipantEgressRequest,
  RoomCompositeEgressRequest,
  StopEgressRequest,
  TrackCompositeEgressRequest,
  TrackEgressRequest,
  UpdateLayoutRequest,
  UpdateStreamRequest,
  WebEgressRequest,
} from '@livekit/protocol'
import type { Claims } from '../api/tokens.ts'
import { method, TwirpError, type TwirpMethod } from '../api/twirp.ts'
import type { EgressRooms, RecordableRoom } from './egress-rooms.ts'
import type { Egresses } from './egresses.ts'
import { isFinal, statusName } from './info.ts'
import { type RequestedOutputs, readOutput } from './output.ts'
import { type EgressRequest, readRequest } from './read-request.ts'

/** The methods of livekit.Egress. Without egresses they answer as a server that has no worker. */
export function egressService(
  rooms: EgressRooms,
  egresses: Egresses | undefined,
): Record<string, TwirpMethod> {
  const starting = async (request: EgressRequest, claims: Claims) =>
    start(rooms, await allowed(egresses, claims), request)
  return {
    StartRoomCompositeEgress: method(RoomCompositeEgressRequest, (value, claims) =>
      starting({ case: 'roomComposite', value }, claims),
    ),
    StartParticipantEgress: method(ParticipantEgressRequest, (value, claims) =>
      starting({ case: 'participant', value }, claims),
    ),
    StartTrackCompositeEgress: method(TrackCompositeEgressRequest, (value, claims) =>
      starting({ case: 'trackComposite', value }, claims),
    ),
    ListEgress: method(ListEgressRequest, async (request, claims) =>
      list(await allowed(egresses, claims), request),
    ),
    StopEgress: method(StopEgressRequest, async ({ egressId }, claims) => {
      return running(await allowed(egresses, claims), egressId, 'stopped').stop()
    }),
    UpdateLayout: method(UpdateLayoutRequest, async ({ egressId, layout }, claims) => {
      const egress = running(await allowed(egresses, claims), egressId, 'updated')
      if (egress.record.job.selection.of !== 'room') {
        throw new TwirpError('invalid_argument', 'only a room composite has a layout')
      }
      egress.setLayout(layout)
      return egress.record.info.clone()
    }),
    ...unsupported(egresses),
  }
}

/** Operations that need a worker we do not have: a LiveKit server finds none either, and answers the same. */
function unsupported(egresses: Egresses | undefined): Record<string, TwirpMethod> {
  const refuse = async (claims: Claims) => {
    await allowed(egresses, claims)
    throw new TwirpError('unavailable', 'no response from servers')
  }
  return {
    StartTrackEgress: method(TrackEgressRequest, (_, claims) => refuse(claims)),
    StartWebEgress: method(WebEgressRequest, (_, claims) => refuse(claims)),
    UpdateStream: method(UpdateStreamRequest, async ({ egressId }, claims) => {
      running(await allowed(egresses, claims), egressId, 'updated')
      throw new TwirpError('invalid_argument', 'UpdateStream called on non-streaming egress')
    }),
  }
}

/** Waits for what a process before this one left: a caller would take what is not known yet for ended. */
async function allowed(egresses: Egresses | undefined, { video }: Claims): Promise<Egresses> {
  if (video.roomRecord !== true) throw new TwirpError('unauthenticated', 'permissions denied')
  if (egresses === undefined) {
    throw new TwirpError('internal', 'twirp error unknown: egress not connected (redis required)')
  }
  await egresses.recovered
  return egresses
}

async function start(rooms: EgressRooms, egresses: Egresses, request: EgressRequest) {
  const room = await rooms.find(request.value.roomName)
  if (room === undefined) throw new TwirpError('not_found', 'requested room does not exist')
  const output = readOutput(outputsOf(request), nameContext(room, request), egresses.outputFolder)
  return egresses.start(room, request, readRequest(request, output))
}

function outputsOf({ value }: EgressRequest): RequestedOutputs {
  return value
}

function nameContext(room: RecordableRoom, request: EgressRequest) {
  const identity = request.case === 'participant' ? request.value.identity : ''
  return { roomName: room.name, roomSid: room.sid, identity, now: new Date() }
}

function running(egresses: Egresses, egressId: string, what: 'stopped' | 'updated') {
  const egress = egresses.find(egressId)
  if (egress !== undefined && !egress.record.isFinal) return egress
  const ended = egress?.record.info ?? egresses.findEnded(egressId)
  if (ended === undefined) throw new TwirpError('not_found', 'egress does not exist')
  const text = `egress with status ${statusName(ended)} cannot be ${what}`
  throw new TwirpError('failed_precondition', text)
}

function list(egresses: Egresses, request: ListEgressRequest): ListEgressResponse {
  const { roomName, egressId, active } = request
  const items = egresses.list().filter((info) => {
    if (egressId !== '') return info.egressId === egressId
    return (roomName === '' || info.roomName === roomName) && !(active && isFinal(info))
  })
  return new ListEgressResponse({ items: items.map((info) => info.clone()) })
}
