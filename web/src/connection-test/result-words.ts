import type { TestDictionary } from '../i18n/test-ja.ts'

type VoiceRating = keyof TestDictionary['done']['voiceRatings']

/** The steps of ITU-T G.107 Annex B: how satisfied people are with a voice. */
const VOICE_RATINGS: readonly { fromMos: number; word: VoiceRating }[] = [
  { fromMos: 4.03, word: 'clear' },
  { fromMos: 3.6, word: 'good' },
  { fromMos: 3.1, word: 'fair' },
  { fromMos: 2.58, word: 'poor' },
]

export function voiceRatingOf(mos: number): VoiceRating {
  return VOICE_RATINGS.find(({ fromMos }) => mos >= fromMos)?.word ?? 'bad'
}

/** One decimal, such as `1.8`; two decimals below 0.1. */
export function inMbps(kbps: number): string {
  return (kbps / 1000).toFixed(kbps < 100 ? 2 : 1)
}

export function inPercent(ratio: number): string {
  const percent = 100 * ratio
  return percent > 0 && percent < 10 ? percent.toFixed(1) : String(Math.round(percent))
}
