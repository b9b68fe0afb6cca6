import type { LoadFacts, SummaryFacts } from '@interview-room/contract/connection-tests.ts'

type Flow = NonNullable<LoadFacts['uplink']['audio']>

/** Transmission rating of a connection without faults (ITU-T G.107). */
const RATING_BEST = 93.2
/** Beyond this one-way delay people start to talk over each other. */
const DELAY_NOTICED_MS = 177.3
const CODEC_DELAY_MS = 10
/**
 * Robustness against packet loss (Bpl). ITU-T G.113 has no value for Opus, so this is the one of G.711 with concealment.
 */
const LOSS_ROBUSTNESS = 25.1
/** The loss of rating at 100 % packet loss. */
const LOSS_MAX = 95

/**
 * The mean opinion score, from 1 to 4.5, of the worse direction of the voice, after the simplified E-model of ITU-T G.107:
 * delay, jitter and loss lower the rating. Returns null when no voice was measured.
 */
export function mosOf(
  voices: readonly Flow[],
  line: Pick<SummaryFacts, 'rtt_ms' | 'jitter_ms'>,
): number | null {
  const scores = voices.map((voice) =>
    scoreOf({
      lossPercent: 100 * (voice.packet_loss_ratio ?? 0),
      rttMs: voice.rtt_ms ?? line.rtt_ms ?? 0,
      jitterMs: voice.jitter_ms ?? line.jitter_ms ?? 0,
    }),
  )
  return scores.length === 0 ? null : Math.round(100 * Math.min(...scores)) / 100
}

function scoreOf({
  lossPercent,
  rttMs,
  jitterMs,
}: {
  lossPercent: number
  rttMs: number
  jitterMs: number
}): number {
  // A jitter buffer delays by about twice the jitter.
  const delayMs = rttMs / 2 + 2 * jitterMs + CODEC_DELAY_MS
  const delayLoss = 0.024 * delayMs + 0.11 * Math.max(0, delayMs - DELAY_NOTICED_MS)
  const impairment = (LOSS_MAX * lossPercent) / (lossPercent + LOSS_ROBUSTNESS)
  const rating = Math.max(0, RATING_BEST - delayLoss - impairment)
  const score = 1 + 0.035 * rating + 7e-6 * rating * (rating - 60) * (100 - rating)
  return Math.min(4.5, Math.max(1, score))
}
