import type { Sample, Stream } from './sample.ts'

/**
 * The share of packets that did not arrive, 0..1. The loss counter may decrease when a late packet comes in
 * after all; a decreasing packet counter means that the browser restarted it. Null when nothing was sent, or
 * nothing was reported.
 */
export function lossRatioOf(samples: readonly Sample[], stream: Stream): number | null {
  const counted = samples.flatMap((sample) => {
    const { packets, packetsLost } = sample[stream] ?? { packets: null, packetsLost: null }
    return packets === null || packetsLost === null ? [] : [{ packets, packetsLost }]
  })
  let packets = 0
  let packetsLost = 0
  for (const [index, now] of counted.slice(1).entries()) {
    const before = counted[index] ?? now
    if (now.packets < before.packets) continue
    packets += now.packets - before.packets
    packetsLost += now.packetsLost - before.packetsLost
  }
  // A sender counts what it sent, a receiver what came.
  const all = stream.startsWith('up') ? packets : packets + packetsLost
  return all <= 0 ? null : Math.min(1, Math.max(0, packetsLost / all))
}

/**
 * The loss of the second part of a way, when that of the whole and of its first part are known: the
 * media server passes on the gaps of what never reached it.
 */
export function lossOfSecondPart(wholeRatio: number, firstRatio: number): number {
  if (firstRatio >= 1) return 0
  return Math.min(1, Math.max(0, (wholeRatio - firstRatio) / (1 - firstRatio)))
}
