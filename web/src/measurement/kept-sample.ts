import { type Sample, STREAMS } from './sample.ts'

/** A stored sample for later questions: one flat object of numbers. */
export type KeptSample = Record<string, number | null>

const OTHERS = ['upFilling', 'downFilling', 'upPath', 'downPath'] as const

/** `upAudio.bytes` becomes `upAudioBytes`. Members without a number are omitted. */
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

/** At most this many samples, spread evenly over the whole time. The first and the last one are included. */
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
