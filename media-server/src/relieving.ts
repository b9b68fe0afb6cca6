import { StreamState, StreamStateInfo, StreamStateUpdate } from '@livekit/protocol'
import type { Forwarder } from './forwarder.ts'
import type { Participant } from './participant.ts'
import type { Room } from './room.ts'

/** Fits what everybody is sent to their line, and tells them which pictures stop and go on. */
export function relieveLines(room: Room): void {
  for (const participant of room.participants.values()) {
    const changed = participant.subscriber.relieve(participant.client.canBePaused)
    tellStreams(participant, changed)
  }
}

/** A client that resumes may have missed which pictures stopped and went on. */
export function tellAllStreams(participant: Participant): void {
  tellStreams(participant, participant.subscriber.videos)
}

function tellStreams(participant: Participant, videos: readonly Forwarder[]): void {
  if (videos.length === 0) return
  const streamStates = videos.map(({ publisherSid, track, isPaused }) => {
    const state = isPaused ? StreamState.PAUSED : StreamState.ACTIVE
    return new StreamStateInfo({ participantSid: publisherSid, trackSid: track.sid, state })
  })
  const value = new StreamStateUpdate({ streamStates })
  participant.send({ case: 'streamStateUpdate', value })
}
