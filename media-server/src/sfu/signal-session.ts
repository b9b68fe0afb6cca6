import {
  DisconnectReason,
  LeaveRequest_Action,
  Pong,
  RequestResponse,
  RequestResponse_Reason,
  SessionDescription,
  SignalTarget,
  type SimulateScenario,
  type SyncState,
  type TrickleRequest,
  type UpdateParticipantMetadata,
} from '@livekit/protocol'
import { reasonOf } from '../lib/log.ts'
import { leave } from './leaving.ts'
import type { Participant } from './participant.ts'
import { addTrack, applySections, setMuted } from './publishing.ts'
import { type Room, START_OVER } from './room.ts'
import type { SignalDemand, SignalSocket } from './signal-socket.ts'
import { updateSubscription, updateTrackSettings } from './subscriptions.ts'

/** Serves one socket of a participant; its demands are answered one after the other. */
export function serveSocket(room: Room, participant: Participant, socket: SignalSocket): void {
  let work = Promise.resolve()

  function end(reason: string): void {
    const { log } = room.context
    log({ level: 'warn', msg: 'client refused', reason, participant: participant.sid })
    socket.refuse(reason)
    leave(room, participant, START_OVER)
    socket.close()
  }

  const { bounds, subscriber } = participant
  socket.onTooLarge = () => end('message too large')
  socket.admits = () => {
    const isAdmitted = bounds.takeMessage(performance.now())
    if (!isAdmitted) end('too many messages')
    return isAdmitted
  }
  socket.onDemand = (demand) => {
    if (participant.isGone) return
    const sectionsOffered = subscriber.sectionCount
    const breach = bounds.breachOf(demand, { nowMs: performance.now(), sectionsOffered })
    if (breach !== undefined) return end(breach)
    if (answerPing(participant, demand)) return
    if (demand.case === 'trickle' && !bounds.takesCandidate(demand.value.target)) return
    // Not queued while connecting first: a queued offer may wait for just that connection.
    // Queued later: a restart throws away candidates that come before its description.
    if (demand.case === 'trickle' && !peerOf(participant, demand.value).hasConnected) {
      void trickle(participant, demand.value)
      return
    }
    work = work
      .then(() => answerInLine(room, participant, demand))
      .catch((error: unknown) => {
        room.context.log({
          level: 'error',
          msg: 'signal demand failed',
          demand: demand.case,
          participant: participant.sid,
          reason: reasonOf(error),
        })
        if (demand.case === 'offer' || demand.case === 'answer') room.requestRejoin(participant)
      })
  }
  socket.onClose = () => {
    if (participant.socket !== socket) return
    participant.socket = undefined
    // Some browsers check their network every five seconds only: its silence counts from here.
    participant.noteActivity()
  }
}

function answerPing(participant: Participant, demand: SignalDemand): boolean {
  if (demand.case === 'ping') {
    participant.send({ case: 'pong', value: BigInt(Date.now()) })
    return true
  }
  if (demand.case !== 'pingReq') return false
  const value = new Pong({
    lastPingTimestamp: demand.value.timestamp,
    timestamp: BigInt(Date.now()),
  })
  participant.send({ case: 'pongResp', value })
  return true
}

async function answerInLine(
  room: Room,
  participant: Participant,
  demand: SignalDemand,
): Promise<void> {
  if (participant.isGone) return
  const work = () => answer(room, participant, demand)
  return demand.case === 'offer' ? participant.bounds.whileOffering(work) : work()
}

async function answer(room: Room, participant: Participant, demand: SignalDemand): Promise<void> {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the protocol grows
  switch (demand.case) {
    case 'offer':
      return answerOffer(room, participant, demand.value)
    case 'answer':
      return participant.subscriber.takeAnswer(demand.value.sdp, demand.value.id)
    case 'trickle':
      return trickle(participant, demand.value)
    case 'addTrack':
      return addTrack(room, participant, demand.value)
    case 'mute': {
      const track = participant.tracks.get(demand.value.sid)
      const isMuted = demand.value.muted
      if (track !== undefined) setMuted(room, participant, { track, isMuted, by: 'client' })
      return
    }
    case 'subscription':
      return updateSubscription(room, participant, demand.value)
    case 'trackSetting':
      return updateTrackSettings(participant, demand.value)
    case 'leave':
      return leave(room, participant, { reason: DisconnectReason.CLIENT_INITIATED })
    case 'updateMetadata':
      return updateMetadata(room, participant, demand.value)
    case 'syncState':
      return checkState(room, participant, demand.value)
    case 'simulate':
      return simulate(room, participant, demand.value)
    // A newer client may ask for something that this server does not do: that is no error.
    default:
      return
  }
}

async function answerOffer(
  room: Room,
  participant: Participant,
  offer: SessionDescription,
): Promise<void> {
  const { sdp, sections } = await participant.publisher.answer(offer.sdp)
  const value = new SessionDescription({ type: 'answer', sdp, id: offer.id })
  participant.send({ case: 'answer', value })
  applySections(room, participant, sections)
}

async function trickle(participant: Participant, request: TrickleRequest): Promise<void> {
  await peerOf(participant, request).addCandidate(request.candidateInit)
}

function peerOf({ publisher, subscriber }: Participant, { target }: TrickleRequest) {
  return target === SignalTarget.PUBLISHER ? publisher : subscriber
}

function updateMetadata(
  room: Room,
  participant: Participant,
  update: UpdateParticipantMetadata,
): void {
  const { requestId } = update
  const isAllowed = participant.permission.canUpdateMetadata
  if (isAllowed) {
    setDescription(participant, update)
    room.sendChange(participant)
  }
  participant.send({
    case: 'requestResponse',
    value: new RequestResponse({
      requestId,
      reason: isAllowed ? RequestResponse_Reason.OK : RequestResponse_Reason.NOT_ALLOWED,
      ...(isAllowed ? {} : { message: 'does not have permission to update own metadata' }),
      request: { case: 'updateMetadata', value: update },
    }),
  })
}

/** Empty means unchanged; an attribute set to an empty text is removed. */
export function setDescription(
  participant: Participant,
  update: { name: string; metadata: string; attributes: Record<string, string> },
): void {
  if (update.name !== '') participant.name = update.name
  if (update.metadata !== '') participant.metadata = update.metadata
  const attributes = { ...participant.attributes, ...update.attributes }
  participant.attributes = Object.fromEntries(
    Object.entries(attributes).filter(([, value]) => value !== ''),
  )
}

// A client that believes to publish what the room does not know has to start over.
function checkState(room: Room, participant: Participant, state: SyncState): void {
  const isKnown = state.publishTracks.every(({ track }) => participant.tracks.has(track?.sid ?? ''))
  if (!isKnown) {
    leave(room, participant, START_OVER)
    return
  }
  const { subscription } = state
  if (subscription !== undefined) updateSubscription(room, participant, subscription)
}

function simulate(room: Room, participant: Participant, { scenario }: SimulateScenario): void {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the protocol grows
  switch (scenario.case) {
    case 'serverLeave':
      return leave(room, participant, { reason: DisconnectReason.SERVER_SHUTDOWN })
    case 'leaveRequestFullReconnect':
      return leave(room, participant, {
        reason: DisconnectReason.UNKNOWN_REASON,
        action: LeaveRequest_Action.RECONNECT,
      })
    case 'nodeFailure':
    case 'migration':
      participant.socket?.close()
      return
    case 'disconnectSignalOnResume':
      participant.dropsNextResume = 'after-messages'
      return
    case 'disconnectSignalOnResumeNoMessages':
      participant.dropsNextResume = 'before-messages'
      return
    default:
      return
  }
}
