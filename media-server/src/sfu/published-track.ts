import { type TrackInfo, TrackSource, TrackType } from '@livekit/protocol'
import { InboundTrack } from '../rtc/inbound-track.ts'

/** A track that a participant publishes in a room of this server. */
export class PublishedTrack extends InboundTrack {
  /** The client's own id of it. */
  readonly cid: string
  /** The room knows of it: the participant is active and the media section is there. */
  isAnnounced = false
  /** The publisher has been notified that somebody receives it. */
  isSubscriptionSent = false

  constructor(cid: string, info: TrackInfo) {
    super(info)
    this.cid = cid
  }
}

const SID_PREFIXES: Record<TrackSource, string> = {
  [TrackSource.UNKNOWN]: '',
  [TrackSource.CAMERA]: 'C',
  [TrackSource.MICROPHONE]: 'M',
  [TrackSource.SCREEN_SHARE]: 'S',
  [TrackSource.SCREEN_SHARE_AUDIO]: 'S',
}

/** `TR_AM…` for a microphone, `TR_VC…` for a camera, and so on. */
export function trackPrefix(type: TrackType, source: TrackSource): string {
  return `TR_${type === TrackType.AUDIO ? 'A' : 'V'}${SID_PREFIXES[source]}`
}
