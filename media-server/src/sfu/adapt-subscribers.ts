import { StreamState, StreamStateInfo, StreamStateUpdate } from '@livekit/protocol'
import type { Forwarder } from './forwarder.ts'
import type { Participant } from './participant.ts'
import type { Room } from './room.ts'

/** Adapts what every subscriber receives to its connection, and reports which videos pause and resume. */
export function adaptSubscribers(room: Room): void {
  for (const participant of room.participants.values()) {
    const changed = participant.subscriber.adapt(participant.client.canBePaused)
    sendStreamStates(participant, changed)
  }
}

/** A client that resumes may have missed which videos paused and resumed. */
export function sendAllStreamStates(participant: Participant): void {
  sendStreamStates(participant, participant.subscriber.videos)
}

function sendStreamStates(participant: Participant, videos: readonly Forwarder[]): void {
  if (videos.length === 0) return
  const streamStates = videos.map(({ publisherSid, track, isPaused }) => {
    const state = isPaused ? StreamState.PAUSED : StreamState.ACTIVE
    return new StreamStateInfo({ participantSid: publisherSid, trackSid: track.sid, state })
  })
  const value = new StreamStateUpdate({ streamStates })
  participant.send({ case: 'streamStateUpdate', value })
}
