import type { EncodedPacket } from 'mediabunny'
import { MediaFileError } from './media-file-error.ts'

type SoundPacket = Pick<EncodedPacket, 'timestamp' | 'duration'>

/** When a part begins and ends in the joined video, in seconds. */
export interface Span {
  startSec: number
  endSec: number
  isLast: boolean
}

/**
 * Puts packets of sound one after the other without a gap or an overlap. Players count sound instead
 * of looking at its times: what is too much or too little at a seam would put everything behind it
 * out of step with the picture, a little more at each seam.
 */
export interface SoundLine {
  /** Where the packet goes; undefined when there is no room for it. Throws where there is a gap. */
  place(packet: SoundPacket, span: Span): number | undefined
  /** Throws when the part's sound has ended too soon for the next one to follow. */
  endPart(span: Span): void
}

export function createSoundLine(): SoundLine {
  let end: number | undefined
  let packetSec = 0

  function refuseGapUntil(sec: number): void {
    if (end !== undefined && sec - end > packetSec) throw gap()
  }

  return {
    place({ timestamp, duration }, { startSec, endSec, isLast }) {
      packetSec = duration
      const wanted = startSec + timestamp
      const middle = wanted + duration / 2
      // A decoder is set up by what lies before the start of a part; here it runs already.
      if (end !== undefined && middle < end) return undefined
      if (!isLast && middle > endSec) return undefined
      refuseGapUntil(wanted)
      const placed = end ?? wanted
      end = placed + duration
      return placed
    },
    endPart({ endSec, isLast }) {
      if (!isLast) refuseGapUntil(endSec)
    },
  }
}

function gap(): MediaFileError {
  return new MediaFileError('failed', 'the sound of the parts has gaps')
}
