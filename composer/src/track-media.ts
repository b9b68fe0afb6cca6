import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { captureTimes, type MediaTime, senderClock } from './capture-times.ts'
import type { OffsetCurve } from './clock-map.ts'
import { Columns, type Rows } from './columns.ts'
import { AUDIO_RATE, samplesOfOpus } from './opus.ts'
import { type StreamedPacket, StreamReader, type StreamReport } from './read-streams.ts'
import { Vp8Assembler } from './vp8-frames.ts'

/** A frame of a picture or a packet of sound: the place of its bytes, and its time. */
interface MediaUnit {
  offset: number
  size: number
  /** Time of capture, by our clock. */
  timeMs: number
  /** Time of arrival. */
  atMs: number
}

export interface VideoUnit extends MediaUnit {
  isKeyFrame: boolean
  width: number
  height: number
}

export interface AudioUnit extends MediaUnit {
  samples: number
  level: number
}

interface TrackMediaBase {
  track: string
  /** The file with the bytes of the units, one after another. */
  file: string
}

export type VideoMedia = TrackMediaBase & { units: Rows<VideoUnit> }
export type AudioMedia = TrackMediaBase & { units: Rows<AudioUnit> }

const VIDEO_UNITS_PER_MS = 90
const AUDIO_UNITS_PER_MS = AUDIO_RATE / 1000

interface TrackUnits<Unit extends MediaUnit> {
  track: string
  file: string
  units: Columns<Unit>
  /** The times of the units, in the same order. */
  times: Columns<MediaTime>
  reports: readonly (readonly StreamReport[])[]
}

/** Splits the logs of one person's tracks into frames and packets with their times. */
export async function readPersonMedia(
  folder: { capture: string; scratch: string },
  tracks: { video: readonly string[]; audio: readonly string[] },
): Promise<{ videoTracks: VideoMedia[]; audioTracks: AudioMedia[] }> {
  const videoTracks = []
  for (const track of tracks.video) videoTracks.push(await gather(folder, track, videoUnits()))
  const audioTracks = []
  for (const track of tracks.audio) audioTracks.push(await gather(folder, track, audioUnits()))

  const clock = senderClock([...videoTracks, ...audioTracks])
  return {
    videoTracks: videoTracks.map((one) => timed(one, VIDEO_UNITS_PER_MS, clock)),
    audioTracks: audioTracks.map((one) => timed(one, AUDIO_UNITS_PER_MS, clock)),
  }
}

function timed<Unit extends MediaUnit>(
  { track, file, units, times, reports }: TrackUnits<Unit>,
  unitsPerMs: number,
  clock: OffsetCurve,
): { track: string; file: string; units: Rows<Unit> } {
  const captured = captureTimes({ items: [...times], reports, unitsPerMs }, clock)
  captured.forEach((timeMs, i) => units.set(i, 'timeMs', timeMs))
  return { track, file, units }
}

/** A unit that a packet completes: its bytes and its properties. */
interface Complete<Unit> {
  data: Buffer
  time: MediaTime
  unit: Omit<Unit, keyof MediaUnit>
}

interface UnitKind<Unit extends MediaUnit> {
  units: Columns<Unit>
  complete: (packet: StreamedPacket) => Complete<Unit> | undefined
}

const MEDIA_UNIT = { offset: 'exact', size: 'count', timeMs: 'exact', atMs: 'exact' } as const

function videoUnits(): UnitKind<VideoUnit> {
  let assembler = new Vp8Assembler()
  let stream = -1
  let size = { width: 0, height: 0 }
  const complete = (packet: StreamedPacket) => {
    if (packet.stream !== stream) assembler = new Vp8Assembler()
    stream = packet.stream
    const frame = assembler.push(packet)
    if (frame === undefined) return undefined
    const { data, timestamp, atMs, isKeyFrame, width, height } = frame
    if (isKeyFrame) size = { width, height }
    return { data, time: { timestamp, atMs, stream }, unit: { isKeyFrame, ...size } }
  }
  const own = { isKeyFrame: 'flag', width: 'short', height: 'short' } as const
  return { units: new Columns<VideoUnit>({ ...MEDIA_UNIT, ...own }), complete }
}

function audioUnits(): UnitKind<AudioUnit> {
  return {
    units: new Columns<AudioUnit>({ ...MEDIA_UNIT, samples: 'short', level: 'byte' }),
    complete({ packet: { payload, atMs, level }, timestamp, stream }) {
      const samples = samplesOfOpus(payload)
      if (samples === 0) return undefined
      return { data: payload, time: { timestamp, atMs, stream }, unit: { samples, level } }
    },
  }
}

async function gather<Unit extends MediaUnit>(
  folder: { capture: string; scratch: string },
  track: string,
  { units, complete }: UnitKind<Unit>,
): Promise<TrackUnits<Unit>> {
  const file = path.join(folder.scratch, `${track}.units`)
  const out = new UnitFile(await open(file, 'w', 0o600))
  const reader = new StreamReader()
  const times = new Columns<MediaTime>({ stream: 'count', timestamp: 'exact', atMs: 'exact' })
  try {
    for await (const packet of reader.read(path.join(folder.capture, `${track}.rtp`))) {
      const found = complete(packet)
      if (found === undefined) continue
      const place = await out.append(found.data)
      const { atMs } = found.time
      units.push({ ...found.unit, ...place, atMs, timeMs: atMs } as Unit)
      times.push(found.time)
    }
  } finally {
    await out.close()
  }
  return { track, file, units, times, reports: reader.reports }
}

const BATCH_BYTES = 1024 * 1024

class UnitFile {
  readonly #handle: FileHandle
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #offset = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async append(data: Buffer): Promise<{ offset: number; size: number }> {
    const place = { offset: this.#offset, size: data.length }
    // A copy, because a view would keep the whole chunk in memory.
    this.#waiting.push(Buffer.from(data))
    this.#waitingBytes += data.length
    this.#offset += data.length
    if (this.#waitingBytes > BATCH_BYTES) await this.#flush()
    return place
  }

  async close(): Promise<void> {
    try {
      await this.#flush()
    } finally {
      await this.#handle.close()
    }
  }

  async #flush(): Promise<void> {
    await this.#handle.writeFile(Buffer.concat(this.#waiting))
    this.#waiting = []
    this.#waitingBytes = 0
  }
}
