import { type Sample, STREAMS } from './sample.ts'

/** A sample as it is kept for later questions: one flat object of numbers. */
export type KeptSample = Record<string, number | null>

const OTHERS = ['upFilling', 'downFilling', 'upPath', 'downPath'] as const

/** `upAudio.bytes` becomes `upAudioBytes`; what has no number is left out. */
export function keptSampleOf(sample: Sample): KeptSample {
  const kept: KeptSample = { atMs: Math.round(sample.atMs) }
  for (const name of [...STREAMS, ...OTHERS]) {
    const reading: object | null = sample[name]
    for (const [member, value] of Object.entries(reading ?? {}) as [string, unknown][]) {
      if (typeof value === 'number') kept[`${name}${capitalised(member)}`] = value
    }
  }
  return kept
}

/** At most so many of them, spread over the whole time, the first and the last among them. */
export function thinned(samples: readonly Sample[], countMax: number): Sample[] {
  if (samples.length <= countMax) return [...samples]
  const step = (samples.length - 1) / (countMax - 1)
  return Array.from({ length: countMax }, (_, index) => samples[Math.round(index * step)]).filter(
    (sample) => sample !== undefined,
  )
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
