import {
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathTarget,
  type Input,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { readMedia } from '../media-files/read-media.ts'

/** The times of one track go on from repetition to repetition. */
interface RepeatedTrack {
  packets: readonly EncodedPacket[]
  /** Seconds from the first packet to the end of the last. */
  lengthSec: number
  write(packet: EncodedPacket): Promise<void>
}

/**
 * Repeats the packets of a short video until it has this length, and writes it as a file. Nothing is
 * decoded, so it needs no ffmpeg.
 */
export async function repeatSample(
  sample: string,
  target: string,
  lengthSec: number,
): Promise<void> {
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: false }),
    target: new FilePathTarget(target),
  })
  try {
    const tracks = await readMedia({ kind: 'path', path: sample }, (input) =>
      openTracks(output, input),
    )
    await output.start()
    await writeInOrder(tracks, lengthSec)
    await output.finalize()
  } catch (error) {
    await output.cancel()
    throw error
  }
}

async function openTracks(output: Output, input: Input): Promise<RepeatedTrack[]> {
  const tracks: RepeatedTrack[] = []
  const video = await input.getPrimaryVideoTrack()
  const videoCodec = await video?.getCodec()
  if (video && videoCodec) {
    const decoderConfig = (await video.getDecoderConfig()) ?? undefined
    const source = new EncodedVideoPacketSource(videoCodec)
    output.addVideoTrack(source)
    const write = async (packet: EncodedPacket) =>
      source.add(packet, decoderConfig && { decoderConfig })
    tracks.push({ ...(await allOf(new EncodedPacketSink(video))), write })
  }
  const audio = await input.getPrimaryAudioTrack()
  const audioCodec = await audio?.getCodec()
  if (audio && audioCodec) {
    const decoderConfig = (await audio.getDecoderConfig()) ?? undefined
    const source = new EncodedAudioPacketSource(audioCodec)
    output.addAudioTrack(source)
    const write = async (packet: EncodedPacket) =>
      source.add(packet, decoderConfig && { decoderConfig })
    tracks.push({ ...(await allOf(new EncodedPacketSink(audio))), write })
  }
  return tracks
}

async function allOf(sink: EncodedPacketSink): Promise<Omit<RepeatedTrack, 'write'>> {
  const packets: EncodedPacket[] = []
  for await (const packet of sink.packets()) if (packet.timestamp >= 0) packets.push(packet)
  const endSec = Math.max(...packets.map(({ timestamp, duration }) => timestamp + duration))
  return { packets, lengthSec: endSec - (packets[0]?.timestamp ?? 0) }
}

/** Writes both tracks side by side, as players read them. */
async function writeInOrder(tracks: readonly RepeatedTrack[], lengthSec: number): Promise<void> {
  const places = tracks.map((track) => ({ track, count: 0, atSec: 0 }))
  for (;;) {
    const [next] = places
      .filter(({ atSec }) => atSec < lengthSec)
      .toSorted((one, other) => one.atSec - other.atSec)
    if (next === undefined) return
    const { track, count } = next
    const packet = track.packets[count % track.packets.length]
    if (packet === undefined) throw new RangeError('the sample has an empty track')
    const round = Math.floor(count / track.packets.length)
    const timestamp = packet.timestamp + round * track.lengthSec
    const duration = Math.min(packet.duration, lengthSec - timestamp)
    await track.write(packet.clone({ timestamp, duration }))
    next.count += 1
    next.atSec = timestamp + packet.duration
  }
}
