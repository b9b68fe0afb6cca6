import type { RTCRtpSender } from 'werift'
import { ntpOfMs } from '../../lib/ntp-time.ts'
import { steadyNow } from '../../lib/steady-now.ts'

/**
 * werift makes up a name for the track of a sender, and has no setting for it. Clients learn from the description
 * which track this is, by its sid.
 */
export function nameTrack(sender: RTCRtpSender, trackSid: string): void {
  Object.assign(sender, { trackId: trackSid })
}

/**
 * werift keeps the latest packets and the listeners of a stopped sender as long as its connection lasts. Releases
 * both, or a track that has ended would stay with those who received it.
 */
export function releaseSender(sender: RTCRtpSender): void {
  const remains = sender as unknown as { rtpCache: unknown[]; dtlsDisposer: (() => void)[] }
  remains.rtpCache = []
  for (const dispose of remains.dtlsDisposer.splice(0)) dispose()
}

/**
 * werift writes the fraction of a second of a sender report in decimal digits, which reads as no fraction at all:
 * audio and video would be apart by up to a second. Makes a sender report the true time of its media.
 */
export function reportTrueTime(sender: RTCRtpSender): void {
  let sentAtMs = steadyNow()
  Object.defineProperty(sender, 'ntpTimestamp', {
    get: () => ntpOfMs(sentAtMs),
    // Set with every packet, together with its media timestamp.
    set: () => {
      sentAtMs = steadyNow()
    },
  })
}
