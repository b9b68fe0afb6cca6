import type { Encryption_Type, TrackSource } from '@livekit/protocol'
import type { SenderReport, TrackReceiver } from '../../rtc/inbound-track.ts'
import type { LayerState } from '../../rtc/layers.ts'

/** A track as far as it is captured. */
export interface CapturableTrack {
  readonly sid: string
  readonly kind: 'audio' | 'video'
  readonly info: {
    readonly source: TrackSource
    readonly muted: boolean
    /** End to end, between participants. */
    readonly encryption: Encryption_Type
  }
  readonly receivers: Set<TrackReceiver>
  readonly layers: readonly LayerState[]
  /** How long a layer may be silent and still count as being sent. */
  readonly aliveMs: number
  /** Loudness of the newest packet in -dBov: 0 is the loudest, 127 is silence or unknown. */
  readonly latestLevel: number
  /** The last report of each of its streams. */
  readonly lastReports: readonly SenderReport[]
  requestKeyFrame(layer: number): void
}

/** Somebody in a room that is captured. */
export interface CapturableParticipant {
  readonly sid: string
  readonly identity: string
  readonly name: string
  readonly isActive: boolean
  readonly isHidden: boolean
  readonly permission: { readonly canPublish: boolean }
  readonly announcedTracks: readonly CapturableTrack[]
}

/** A reader of a room, such as a recording of it. */
export interface RoomWatcher {
  /** Somebody came, left or changed, or something was published, muted or withdrawn. */
  changed(): void
  finished(): void
  /** The room could not be entered. */
  failed(error: Error): void
  /** The connection to the room is there again; for so long nothing has come over it. */
  missed(ms: number): void
  /** A track does not come. `codec`: where it is sent in one that is not captured, such as `video/VP9`. */
  unrecordable(sid: string, reason: string, codec?: string): void
}

/** A room that is captured: one of this server, or one that was joined on another. */
export interface CaptureSource {
  readonly participants: ReadonlyMap<string, CapturableParticipant>
  readonly watchers: Set<RoomWatcher>
  readonly isFinished: boolean
  /** Called when the capturing side has left the room. */
  leave?(): void
}
