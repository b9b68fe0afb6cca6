import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { copyVoice } from './ffmpeg-arguments.ts'
import { ExactReader, FfmpegProcess } from './ffmpeg-process.ts'
import type { SoundRange } from './mix-audio.ts'
import { oggOpus } from './ogg-opus.ts'
import { samplesOfOpus } from './opus.ts'
import { placeAudio } from './place-audio.ts'
import type { AudioMedia, AudioUnit } from './track-media.ts'
import { readUnits } from './unit-reader.ts'

/** The packets of one person in a stretch of a capture. */
export interface VoicePiece {
  /** Undefined if they sent nothing. */
  file: string | undefined
  /** Beginning and end of the stretch in the recording, in samples. */
  from: number
  to: number
}

interface Packet {
  data: Buffer
  samples: number
}

/** 20 ms. */
const SILENCE: Packet = { data: Buffer.of(0xf8, 0xff, 0xfe), samples: 960 }
/** The first sample, from the start of the stretch, and the size. */
const HEAD = { sampleBytes: 4, bytes: 6 }

/** Writes the packets of one person that begin in a stretch, each with its place, and copied as it was sent. */
export async function writeVoicePackets(
  file: string,
  audioTracks: readonly AudioMedia[],
  range: SoundRange & { startMs: number },
): Promise<void> {
  const records = Readable.from(recordsOf(audioTracks, range), { objectMode: false })
  await pipeline(records, createWriteStream(file, { mode: 0o600 }))
}

async function* recordsOf(
  audioTracks: readonly AudioMedia[],
  { from, to, isLast, startMs }: SoundRange & { startMs: number },
): AsyncGenerator<Buffer> {
  for (const { file, units } of audioTracks) {
    for await (const { unit, data } of readUnits(file, placed(units, startMs))) {
      const end = isLast ? unit.start + unit.samples : unit.start + 1
      if (unit.start < from || end > to) continue
      const head = Buffer.alloc(HEAD.bytes)
      head.writeUInt32BE(unit.start - from, 0)
      head.writeUInt16BE(data.length, HEAD.sampleBytes)
      yield Buffer.concat([head, data])
    }
  }
}

function* placed(units: Iterable<AudioUnit>, startMs: number) {
  for (const { unit, start } of placeAudio(units, startMs)) yield { ...unit, start }
}

/**
 * Writes the sound of one person, silence included, into one file. Each packet is at most one packet of silence away from its
 * time.
 */
export async function writeVoice(
  program: string,
  file: string,
  pieces: readonly VoicePiece[],
): Promise<void> {
  const muxer = new FfmpegProcess(program, copyVoice(file))
  try {
    await muxer.feed(oggOpus(withSilence(pieces)))
    await muxer.ended()
  } finally {
    muxer.stop()
  }
}

async function* withSilence(pieces: readonly VoicePiece[]): AsyncGenerator<Packet> {
  let end = 0
  for (const piece of pieces) {
    for await (const { start, ...packet } of packetsOf(piece)) {
      for (; start - end >= SILENCE.samples; end += SILENCE.samples) yield SILENCE
      // The sender's clock is faster, or another of their microphones has not ended yet.
      if (end - start >= SILENCE.samples) continue
      yield packet
      end += packet.samples
    }
    for (; piece.to - end >= SILENCE.samples; end += SILENCE.samples) yield SILENCE
  }
}

/** Packets with the first of their samples in the recording. */
async function* packetsOf({ file, from }: VoicePiece): AsyncGenerator<Packet & { start: number }> {
  if (file === undefined) return
  const reader = new ExactReader(createReadStream(file))
  for (;;) {
    const head = await reader.read(HEAD.bytes)
    if (head === undefined) return
    const data = await reader.read(head.readUInt16BE(HEAD.sampleBytes))
    if (data === undefined) throw new Error('a voice ends within a packet')
    yield { data, samples: samplesOfOpus(data), start: from + head.readUInt32BE(0) }
  }
}
