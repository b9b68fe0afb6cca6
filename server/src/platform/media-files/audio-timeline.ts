import type { EncodedPacket } from 'mediabunny'
import { MediaFileError } from './media-file-error.ts'
import type { Silence } from './silence.ts'

/** When a part begins and ends in the joined video, in seconds. */
export interface Span {
  startSec: number
  endSec: number
  isLast: boolean
}

/**
 * Concatenates packets of sound without a gap or an overlap. Players count sound instead of reading its times: an excess or a lack
 * at a seam would put everything after it out of step with the picture, a little more at each seam. So a part's sound is at most
 * half a packet from its proper time at any seam: an excess is left out, and a lack becomes silence.
 */
export interface AudioTimeline {
  /**
   * The packet with the silence before it, where they go; none when there is no room for it.
   * Throws `MediaFileError` with `failed` at a gap in sound that cannot be filled.
   */
  place(packet: EncodedPacket, span: Span): Iterable<EncodedPacket>
}

/** @param silence fills gaps; undefined if there is none of that kind */
export function createAudioTimeline(silence: Silence | undefined): AudioTimeline {
  let timelineEndSec: number | undefined
  let packetSec = silence?.packetSec ?? 0
  return {
    *place(packet, { startSec, endSec, isLast }) {
      // A file may declare a shorter last packet than the one decoded from it.
      packetSec = Math.max(packetSec, packet.duration)
      const wantedSec = startSec + packet.timestamp
      const middleSec = wantedSec + packetSec / 2
      // A decoder is set up by what lies before the start of a part; here it runs already.
      if (timelineEndSec !== undefined && middleSec < timelineEndSec) return
      if (!isLast && middleSec > endSec) return
      let timestamp = timelineEndSec ?? wantedSec
      for (; wantedSec - timestamp > packetSec / 2; timestamp += packetSec) {
        if (silence === undefined) throw new MediaFileError('failed', 'the sound has gaps')
        yield silence.packetAt(timestamp)
      }
      timelineEndSec = timestamp + packetSec
      yield packet.clone({ timestamp })
    },
  }
}
