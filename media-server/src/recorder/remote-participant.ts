import { type ParticipantInfo, ParticipantInfo_State } from '@livekit/protocol'
import type { CapturableParticipant } from '../egress/capture/capture-source.ts'
import { InboundTrack } from '../rtc/inbound-track.ts'
import { SILENT_LEVEL } from '../rtc/levels.ts'

/** A participant in a room of another server, as that server reports it. */
export class RemoteParticipant implements CapturableParticipant {
  readonly sid: string
  readonly identity: string
  readonly tracks = new Map<string, InboundTrack>()
  #info: ParticipantInfo

  constructor(info: ParticipantInfo) {
    this.sid = info.sid
    this.identity = info.identity
    this.#info = info
    this.#followTracks(info)
  }

  get name(): string {
    return this.#info.name
  }

  get isActive(): boolean {
    return this.#info.state === ParticipantInfo_State.ACTIVE
  }

  get isHidden(): boolean {
    return this.#info.permission?.hidden ?? false
  }

  /** A publisher has the permission: not every server publishes the permissions of others. */
  get permission(): { canPublish: boolean } {
    return { canPublish: this.#info.permission?.canPublish ?? true }
  }

  get announcedTracks(): InboundTrack[] {
    return [...this.tracks.values()]
  }

  /** Applies the server's report; an older version is ignored. */
  update(info: ParticipantInfo): void {
    if (info.version < this.#info.version) return
    this.#info = info
    this.#followTracks(info)
  }

  /** Loudness 0…1 from the speaker updates; packets do not carry it to subscribers. */
  speak(loudness: number): void {
    const level =
      loudness > 0 ? Math.min(SILENT_LEVEL, Math.round(-20 * Math.log10(loudness))) : SILENT_LEVEL
    for (const track of this.tracks.values()) track.reportedLevel = level
  }

  #followTracks({ tracks }: ParticipantInfo): void {
    const published = new Set(tracks.map(({ sid }) => sid))
    for (const sid of this.tracks.keys()) if (!published.has(sid)) this.tracks.delete(sid)
    for (const info of tracks) {
      const known = this.tracks.get(info.sid)
      if (known === undefined) this.tracks.set(info.sid, new InboundTrack(info))
      else if (known.info.muted !== info.muted) known.setMuted(info.muted)
    }
  }
}
