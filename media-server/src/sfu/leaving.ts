import type { Participant } from './participant.ts'
import { unpublish } from './publishing.ts'
import type { Departure, Room } from './room.ts'

/** Ends a connection: the others lose its tracks and hear that it is gone. */
export function leave(room: Room, participant: Participant, departure: Departure): void {
  if (participant.isGone) return
  for (const track of participant.tracks.values()) unpublish(room, participant, track)
  room.remove(participant, departure)
}
