import { AudioSource } from './audio-source.ts'
import { ExhibitSound, type SoundStretch } from './exhibit-sound.ts'
import { CHANNELS, type Encoding, encodeAudio } from './ffmpeg-arguments.ts'
import { FfmpegProcess } from './ffmpeg-process.ts'
import { AUDIO_RATE } from './opus.ts'
import { placeAudio } from './place-audio.ts'
import type { AudioMedia } from './track-media.ts'

/** The sound of one part of the recording. */
export interface MixPart {
  audioTracks: readonly AudioMedia[]
  exhibits: readonly SoundStretch[]
  startMs: number
  /** Beginning and end of the part in the recording, in samples. */
  from: number
  to: number
}

export interface MixOptions {
  program: string
  encoding: Encoding
  file: string
}

interface Sound {
  addTo: (mix: Float32Array, from: number) => Promise<void>
  close: () => void
}

// Below this level nothing is changed. Louder samples are compressed instead of clipped.
const LINEAR = 0.8

/** Mixes everything at full loudness into one AAC file of exactly the recording's length. */
export async function mixAudio(parts: readonly MixPart[], options: MixOptions): Promise<void> {
  const { program, encoding, file } = options
  const encoder = new FfmpegProcess(program, encodeAudio(encoding, file))
  try {
    for (const part of parts) await mixPart(part, program, encoder)
    await encoder.finish()
  } finally {
    encoder.stop()
  }
}

async function mixPart(part: MixPart, program: string, encoder: FfmpegProcess): Promise<void> {
  const voices = part.audioTracks.map(
    ({ file, units }): Sound =>
      new AudioSource(program, file, () => placeAudio(units, part.startMs)),
  )
  const sounds = [...voices, ...part.exhibits.map((one) => new ExhibitSound(program, one))]
  try {
    const total = part.to - part.from
    for (let from = 0; from < total; from += AUDIO_RATE) {
      const mix = new Float32Array(Math.min(AUDIO_RATE, total - from) * CHANNELS)
      for (const sound of sounds) await sound.addTo(mix, from)
      for (let i = 0; i < mix.length; i++) mix[i] = limited(mix[i] ?? 0)
      await encoder.write(Buffer.from(mix.buffer))
    }
  } finally {
    for (const sound of sounds) sound.close()
  }
}

export function limited(sample: number): number {
  const loudness = Math.abs(sample)
  if (loudness <= LINEAR) return sample
  const room = 1 - LINEAR
  return Math.sign(sample) * (LINEAR + room * Math.tanh((loudness - LINEAR) / room))
}
