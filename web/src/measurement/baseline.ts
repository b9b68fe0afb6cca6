import type { BaselineFacts } from '@interview-room/contract/connection-tests.ts'
import { rounded } from './flow.ts'
import { inOrder, type Sample } from './sample.ts'
import { averageOf, highestOf, type Point, pointsOf } from './series.ts'

/** The connection before any load. All `samples` must be from that time. */
export function baselineOf(
  unordered: readonly Sample[],
  connectedIn: { signalingMs: number; mediaMs: number },
): BaselineFacts {
  const samples = inOrder(unordered)
  const path = samples.findLast(({ upPath }) => upPath !== null)?.upPath
  return {
    signaling: { connected: true, connect_ms: rounded(connectedIn.signalingMs, 0) },
    media: {
      connected: true,
      connect_ms: rounded(connectedIn.mediaMs, 0),
      protocol: path?.protocol ?? null,
      candidate_type: path?.candidateType ?? null,
    },
    rtt_ms: spreadOf([
      ...pointsOf(samples, (sample) => sample.upPath?.rttMs),
      ...pointsOf(samples, (sample) => sample.upAudio?.rttMs),
    ]),
    jitter_ms: spreadOf([
      ...pointsOf(samples, (sample) => sample.upAudio?.jitterMs),
      ...pointsOf(samples, (sample) => sample.downAudio?.jitterMs),
    ]),
  }
}

/** The baseline of a connection that carried no media. */
export function brokenBaseline(signalingMs: number | null): BaselineFacts {
  const unknown = { avg: null, max: null }
  return {
    signaling: { connected: signalingMs !== null, connect_ms: rounded(signalingMs, 0) },
    media: { connected: false, connect_ms: null, protocol: null, candidate_type: null },
    rtt_ms: unknown,
    jitter_ms: unknown,
  }
}

function spreadOf(points: readonly Point[]): { avg: number | null; max: number | null } {
  return { avg: rounded(averageOf(points), 1), max: rounded(highestOf(points), 1) }
}
