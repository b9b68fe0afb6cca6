import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { adtsPackets, cut, packetAt, PACKET_SAMPLES } from './adts.ts'
import { AudioSource } from './audio-source.ts'
import { ExhibitSound, type SoundStretch } from './exhibit-sound.ts'
import { CHANNELS, type Encoding, encodeAudio } from './ffmpeg-arguments.ts'
import { FfmpegProcess } from './ffmpeg-process.ts'
import { AUDIO_RATE } from './opus.ts'
import { type PlacedAudio, placeAudio } from './place-audio.ts'
import type { AudioMedia } from './track-media.ts'

/** A stretch of the sound of a capture, in samples from the start of the capture. */
export interface SoundRange {
  from: number
  to: number
  /** The capture ends with it: then nothing after it may be heard. */
  isLast: boolean
}

export interface Mix extends SoundRange {
  audioTracks: readonly AudioMedia[]
  exhibits: readonly SoundStretch[]
  /** The start of the capture. */
  startMs: number
}

export interface MixOptions {
  program: string
  encoding: Pick<Encoding, 'audioKbps'>
  file: string
}

interface Sound {
  addTo: (mix: Float32Array, from: number) => Promise<void>
  close: () => void
}

/**
 * Packets that are encoded before a stretch and thrown away. A packet is decoded together with the one before: with the same sound
 * before both, the first packet of a stretch continues the last one of the stretch before without a click.
 */
const LEAD_PACKETS = 8
/** An encoder looks ahead, and each packet reaches into the next. */
const TAIL_PACKETS = 3
/** The encoder's first packet ends where its input begins. */
const PRIMING_PACKETS = 1
/** Opus needs the packets before to sound right, however long ago they were. */
const WARM_UP_PACKETS = 25

// Below this level nothing is changed. Louder samples are compressed instead of clipped.
const LINEAR = 0.8

/** The samples that must be mixed for a stretch: more than it has, at both ends. */
export function mixedRange({ from, to, isLast }: SoundRange): { from: number; to: number } {
  const { first, end } = packetsOf({ from, to, isLast })
  return {
    from: (first - LEAD_PACKETS) * PACKET_SAMPLES,
    to: (end + TAIL_PACKETS) * PACKET_SAMPLES,
  }
}

/** A last stretch has one packet to spare, for a capture that follows and begins between two packets. */
function packetsOf({ from, to, isLast }: SoundRange): { first: number; end: number } {
  return { first: packetAt(from), end: packetAt(to) + (isLast ? 1 : 0) }
}

/** Mixes everything at full loudness into the packets of this stretch, as AAC in ADTS. */
export async function mixAudio(mix: Mix, { program, encoding, file }: MixOptions): Promise<void> {
  const encoder = new FfmpegProcess(program, encodeAudio(encoding))
  const { first, end } = packetsOf(mix)
  const kept = { skipped: LEAD_PACKETS + PRIMING_PACKETS, count: end - first }
  const packets = Readable.from(cut(adtsPackets(encoder.output), kept), { objectMode: false })
  const written = pipeline(packets, createWriteStream(file, { mode: 0o600 }))
  written.catch(() => {})
  try {
    await feed(encoder, mix, program)
    await encoder.finish()
    await written
  } finally {
    encoder.stop()
  }
}

async function feed(encoder: FfmpegProcess, mix: Mix, program: string): Promise<void> {
  const range = mixedRange(mix)
  const voices = mix.audioTracks.map(
    ({ file, units }): Sound =>
      new AudioSource(program, file, () => within(placeAudio(units, mix.startMs), range)),
  )
  const sounds = [...voices, ...mix.exhibits.map((one) => new ExhibitSound(program, one))]
  try {
    for (let at = range.from; at < range.to; at += AUDIO_RATE) {
      const mixed = new Float32Array(Math.min(AUDIO_RATE, range.to - at) * CHANNELS)
      for (const sound of sounds) await sound.addTo(mixed, at)
      for (let i = 0; i < mixed.length; i++) mixed[i] = limited(mixed[i] ?? 0)
      if (mix.isLast && mix.to - at < AUDIO_RATE) mixed.fill(0, Math.max(0, mix.to - at) * CHANNELS)
      await encoder.write(Buffer.from(mixed.buffer))
    }
  } finally {
    for (const sound of sounds) sound.close()
  }
}

/** The packets to decode for a range. */
function* within(
  placed: Iterable<PlacedAudio>,
  { from, to }: { from: number; to: number },
): Generator<PlacedAudio> {
  let before: PlacedAudio[] = []
  for (const each of placed) {
    if (each.start >= to) return
    if (each.start + each.length <= from) {
      before = [...before.slice(1 - WARM_UP_PACKETS), each]
      continue
    }
    yield* before
    before = []
    yield each
  }
}

export function limited(sample: number): number {
  const loudness = Math.abs(sample)
  if (loudness <= LINEAR) return sample
  const room = 1 - LINEAR
  return Math.sign(sample) * (LINEAR + room * Math.tanh((loudness - LINEAR) / room))
}
