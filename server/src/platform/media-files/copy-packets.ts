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
import { createAudioTimeline, type Span } from './audio-timeline.ts'
import { MediaFileError } from './media-file-error.ts'
import { type Part, sumOf } from './parts.ts'
import { readMedia } from './read-media.ts'
import { silenceFor } from './silence.ts'

export interface CopyJob {
  /** Parts of one kind; at least one. */
  parts: readonly Part[]
  /** The path of the file that is made. */
  target: string
  deadlineMs: number
}

/**
 * Concatenates the packets of the parts unchanged. Throws `MediaFileError` with `unreadable` for a broken part and with `failed`
 * for sound with gaps that cannot be filled, `StorageError`.
 */
export async function copyPackets(copying: CopyJob): Promise<void> {
  const { parts, target } = copying
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: 'reserve' }),
    target: new FilePathTarget(target),
  })
  try {
    const write = await openTracks(output, copying)
    for (const [index, part] of parts.entries()) {
      const startSec = sumOf(parts.slice(0, index))
      const endSec = startSec + part.durationSec
      const span = { startSec, endSec, isLast: index === parts.length - 1 }
      await readMedia(part.location, (input) => copyPart(input, { part, span }, write), copying)
    }
    await output.finalize()
  } catch (error) {
    await output.cancel()
    throw error
  }
}

type Write = (packet: EncodedPacket, span: Span) => Promise<void>

interface TrackWriters {
  video: Write
  audio: Write
}

/** With the settings of the first part, which are those of all. */
async function openTracks(output: Output, copying: CopyJob): Promise<TrackWriters> {
  const { parts } = copying
  const [first] = parts
  if (first === undefined) throw new RangeError('there are no parts to join')
  return readMedia(
    first.location,
    async (input) => {
      const video = await openVideo(output, input, parts)
      const audio = await openAudio(output, input, parts)
      await output.start()
      return { video, audio }
    },
    copying,
  )
}

async function openVideo(output: Output, input: Input, parts: readonly Part[]): Promise<Write> {
  const track = await input.getPrimaryVideoTrack()
  const codec = await track?.getCodec()
  const decoderConfig = await track?.getDecoderConfig()
  if (!codec || !decoderConfig) return async () => {}
  const source = new EncodedVideoPacketSource(codec)
  const maximumPacketCount = parts.reduce((sum, { video }) => sum + (video?.packets ?? 0), 0)
  output.addVideoTrack(source, { maximumPacketCount })
  return async (packet, { startSec }) => {
    const timestamp = startSec + packet.timestamp
    await source.add(packet.clone({ timestamp }), { decoderConfig })
  }
}

async function openAudio(output: Output, input: Input, parts: readonly Part[]): Promise<Write> {
  const track = await input.getPrimaryAudioTrack()
  const codec = await track?.getCodec()
  const decoderConfig = await track?.getDecoderConfig()
  if (!track || !codec || !decoderConfig) return async () => {}
  const source = new EncodedAudioPacketSource(codec)
  const silence = await silenceFor(track)
  const maximumPacketCount = parts.reduce(
    (sum, { audio, durationSec }) =>
      sum + Math.max(audio?.packets ?? 0, silence?.countIn(durationSec) ?? 0),
    0,
  )
  output.addAudioTrack(source, { maximumPacketCount })
  const timeline = createAudioTimeline(silence)
  return async (packet, span) => {
    for (const placed of timeline.place(packet, span)) await source.add(placed, { decoderConfig })
  }
}

async function copyPart(
  input: Input,
  { part, span }: { part: Part; span: Span },
  write: TrackWriters,
): Promise<void> {
  const video = await packetsOf(await input.getPrimaryVideoTrack())
  const audio = await packetsOf(await input.getPrimaryAudioTrack())
  while (video.next !== undefined || audio.next !== undefined) {
    const isVideo = (video.next?.timestamp ?? Infinity) <= (audio.next?.timestamp ?? Infinity)
    const from = isVideo ? video : audio
    const packet = await from.take()
    if (packet !== undefined) await write[isVideo ? 'video' : 'audio'](packet, span)
  }
  const isComplete =
    video.taken === (part.video?.packets ?? 0) && audio.taken === (part.audio?.packets ?? 0)
  if (!isComplete) throw new MediaFileError('unreadable', 'a part lacks some of what it lists')
}

interface Packets {
  next: EncodedPacket | undefined
  /** The number of packets taken so far. */
  taken: number
  take(): Promise<EncodedPacket | undefined>
}

async function packetsOf(track: ConstructorParameters<typeof EncodedPacketSink>[0] | null) {
  const all = track === null ? undefined : new EncodedPacketSink(track).packets()
  const read = async (): Promise<EncodedPacket | undefined> => {
    const step = await all?.next()
    return step?.done === false ? step.value : undefined
  }
  const packets: Packets = {
    next: await read(),
    taken: 0,
    async take() {
      const taken = packets.next
      if (taken !== undefined) packets.taken += 1
      packets.next = await read()
      return taken
    },
  }
  return packets
}
