import { type ParticipantInfo, ParticipantInfo_State, type SpeakerInfo } from '@livekit/protocol'
import type { InboundTrack } from '../rtc/inbound-track.ts'
import { RemoteParticipant } from './remote-participant.ts'

/** Everybody in a room of another server except us, as that server reports. */
export class RemoteParticipants {
  readonly byIdentity = new Map<string, RemoteParticipant>()
  #ownSid = ''

  get all(): RemoteParticipant[] {
    return [...this.byIdentity.values()]
  }

  /** With a new connection. Returns who was there before and is not now. */
  begin(ownSid: string, infos: readonly ParticipantInfo[]): RemoteParticipant[] {
    this.#ownSid = ownSid
    const present = new Set(infos.map(({ identity }) => identity))
    // LiveKit lists participants in a random order, which would become that of the tiles.
    this.update(infos.toSorted((a, b) => Number(a.joinedAtMs - b.joinedAtMs)))
    for (const { tracks } of this.all) for (const track of tracks.values()) track.resync()
    return this.all.filter(({ identity }) => !present.has(identity))
  }

  update(infos: readonly ParticipantInfo[]): void {
    for (const info of infos) if (info.sid !== this.#ownSid) this.#updateOne(info)
  }

  /** Lets go of those who have not come back as somebody else meanwhile. */
  forget(participants: readonly RemoteParticipant[]): void {
    for (const one of participants) {
      if (this.byIdentity.get(one.identity) === one) this.byIdentity.delete(one.identity)
    }
  }

  speak(speakers: readonly SpeakerInfo[]): void {
    for (const { sid, level, active } of speakers) {
      this.all.find((one) => one.sid === sid)?.speak(active ? level : 0)
    }
  }

  findTrack(sid: string): InboundTrack | undefined {
    return this.all.map(({ tracks }) => tracks.get(sid)).find((track) => track !== undefined)
  }

  #updateOne(info: ParticipantInfo): void {
    const known = this.byIdentity.get(info.identity)
    if (info.state === ParticipantInfo_State.DISCONNECTED) {
      // By sid: who came back under the same identity is somebody else.
      if (known?.sid === info.sid) this.byIdentity.delete(info.identity)
    } else if (known?.sid === info.sid) {
      known.update(info)
    } else {
      this.byIdentity.set(info.identity, new RemoteParticipant(info))
    }
  }
}
