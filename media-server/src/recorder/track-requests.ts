import {
  ParticipantTracks,
  UpdateSubscription,
  UpdateTrackSettings,
  VideoQuality,
} from '@livekit/protocol'
import { isSelected, isTrackSelected, type Selection } from '../egress/capture/selection.ts'
import type { RemoteParticipant } from './remote-participant.ts'
import type { SignalDemand } from './signal-connection.ts'

/** Requests for the tracks that are to be recorded, and for the full layer of each. */
export class TrackRequests {
  readonly #selection: Selection
  readonly #asked = new Set<string>()

  constructor(selection: Selection) {
    this.#selection = selection
  }

  /** The server may send every track without being asked for each. */
  get isEverything(): boolean {
    const selection = this.#selection
    return selection.of === 'room' && selection.hasSound && selection.hasPicture
  }

  /** A new connection has nothing yet. */
  reset(): void {
    this.#asked.clear()
  }

  /** Demands that are due now. */
  take(participants: Iterable<RemoteParticipant>): SignalDemand[] {
    return [...participants].flatMap((participant) => {
      const tracks = this.#wanted(participant).filter(({ sid }) => !this.#asked.has(sid))
      if (tracks.length === 0) return []
      for (const { sid } of tracks) this.#asked.add(sid)
      const trackSids = tracks.map(({ sid }) => sid)
      const videoSids = tracks.filter(({ kind }) => kind === 'video').map(({ sid }) => sid)
      const subscription = this.isEverything ? [] : [subscribe(participant.sid, trackSids)]
      return videoSids.length === 0 ? subscription : [...subscription, inFull(videoSids)]
    })
  }

  /** Nothing is there that would send. */
  isIdle(participants: Iterable<RemoteParticipant>): boolean {
    return [...participants].every((participant) => this.#wanted(participant).length === 0)
  }

  #wanted(participant: RemoteParticipant) {
    if (!isSelected(this.#selection, participant)) return []
    return participant.announcedTracks.filter((track) => isTrackSelected(this.#selection, track))
  }
}

function subscribe(participantSid: string, trackSids: string[]): SignalDemand {
  const participantTracks = [new ParticipantTracks({ participantSid, trackSids })]
  const value = new UpdateSubscription({ trackSids, subscribe: true, participantTracks })
  return { case: 'subscription', value }
}

function inFull(trackSids: string[]): SignalDemand {
  return {
    case: 'trackSetting',
    value: new UpdateTrackSettings({ trackSids, quality: VideoQuality.HIGH }),
  }
}
