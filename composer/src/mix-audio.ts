import { AudioSource } from './audio-source.ts'
import { CHANNELS, type Encoding, encodeAudio } from './ffmpeg-arguments.ts'
import { FfmpegProcess } from './ffmpeg-process.ts'
import { AUDIO_RATE } from './opus.ts'
import { placeAudio } from './place-audio.ts'
import type { AudioMedia } from './track-media.ts'

export interface MixOptions {
  program: string
  encoding: Encoding
  startMs: number
  durationMs: number
  file: string
}

// Below this nothing is changed; what is louder is bent instead of cut.
const LINEAR = 0.8

/** Mixes everybody's sound at full loudness into one AAC file of exactly the recording's length. */
export async function mixAudio(
  audioTracks: readonly AudioMedia[],
  options: MixOptions,
): Promise<void> {
  const { program, encoding, startMs, durationMs, file } = options
  const sources = audioTracks
    .map((audio) => ({ file: audio.file, placed: placeAudio(audio.units, startMs) }))
    .filter(({ placed }) => placed.length > 0)
    .map((one) => new AudioSource(program, one.file, one.placed))
  const encoder = new FfmpegProcess(program, encodeAudio(encoding, file))
  try {
    const total = Math.round((durationMs * AUDIO_RATE) / 1000)
    for (let from = 0; from < total; from += AUDIO_RATE) {
      const mix = new Float32Array(Math.min(AUDIO_RATE, total - from) * CHANNELS)
      for (const source of sources) await source.addTo(mix, from)
      for (let i = 0; i < mix.length; i++) mix[i] = limited(mix[i] ?? 0)
      await encoder.write(Buffer.from(mix.buffer))
    }
    await encoder.finish()
  } finally {
    for (const source of sources) source.close()
    encoder.stop()
  }
}

export function limited(sample: number): number {
  const loudness = Math.abs(sample)
  if (loudness <= LINEAR) return sample
  const room = 1 - LINEAR
  return Math.sign(sample) * (LINEAR + room * Math.tanh((loudness - LINEAR) / room))
}
