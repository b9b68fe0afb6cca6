import { copyVoice } from './ffmpeg-arguments.ts'
import { FfmpegProcess } from './ffmpeg-process.ts'
import { oggOpus } from './ogg-opus.ts'
import { placeAudio } from './place-audio.ts'
import type { AudioMedia, AudioUnit } from './track-media.ts'
import { readUnits } from './unit-reader.ts'

/** The microphones of one person in one part of the recording. */
export interface VoicePart {
  audioTracks: readonly AudioMedia[]
  startMs: number
  /** Beginning and end of the part in the recording, in samples. */
  from: number
  to: number
}

interface Packet {
  data: Buffer
  samples: number
}

/** 20 ms. */
const SILENCE: Packet = { data: Buffer.of(0xf8, 0xff, 0xfe), samples: 960 }

/**
 * Writes the sound of one person, silence included, into one file. The packets are copied as they were sent: each is at most one
 * packet of silence away from its time.
 */
export async function writeVoice(
  program: string,
  file: string,
  parts: readonly VoicePart[],
): Promise<void> {
  const muxer = new FfmpegProcess(program, copyVoice(file))
  try {
    await muxer.feed(oggOpus(withSilence(parts)))
    await muxer.ended()
  } finally {
    muxer.stop()
  }
}

async function* withSilence(parts: readonly VoicePart[]): AsyncGenerator<Packet> {
  let end = 0
  for (const part of parts) {
    for await (const { start, ...packet } of packetsOf(part)) {
      for (; start - end >= SILENCE.samples; end += SILENCE.samples) yield SILENCE
      // The sender's clock is faster, or another of their microphones has not ended yet.
      if (end - start >= SILENCE.samples) continue
      yield packet
      end += packet.samples
    }
    for (; part.to - end >= SILENCE.samples; end += SILENCE.samples) yield SILENCE
  }
}

/** Packets with the first of their samples in the recording. */
async function* packetsOf({
  audioTracks,
  startMs,
  from,
  to,
}: VoicePart): AsyncGenerator<Packet & { start: number }> {
  for (const { file, units } of audioTracks) {
    for await (const { unit, data } of readUnits(file, placed(units, startMs))) {
      const start = from + unit.start
      if (start < from || start + unit.samples > to) continue
      yield { data, samples: unit.samples, start }
    }
  }
}

function* placed(units: Iterable<AudioUnit>, startMs: number) {
  for (const { unit, start } of placeAudio(units, startMs)) yield { ...unit, start }
}
