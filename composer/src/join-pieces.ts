import { createReadStream, createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Activity, activitiesOf } from './activity.ts'
import { adtsPackets, cut, packetAt, PACKET_SAMPLES } from './adts.ts'
import { joinMedia } from './ffmpeg-arguments.ts'
import { FfmpegProcess } from './ffmpeg-process.ts'
import type { AnnouncedTrack, CaptureAbsence } from './losses.ts'
import { AUDIO_RATE } from './opus.ts'
import { type Piece, pictureOf, soundFileOf, voiceFileOf } from './pieces.ts'
import { writeVoice } from './write-voice.ts'

/** The pieces of one capture, in order and without gaps; none if nothing of it may be used. */
export type PiecesOfCapture = readonly Piece[]

/** The content of the captures, in milliseconds. */
export interface Contents {
  durationMs: number
  /** One entry for each capture. */
  captures: readonly ComposedCapture[]
  activities: readonly Activity[]
}

export interface ComposedCapture {
  /** How much of the file it takes; 0 if nothing of it may be used. */
  durationMs: number
  /** The parts of it that lack media. */
  absences: readonly CaptureAbsence[]
  tracks: readonly AnnouncedTrack[]
}

/** The sound of one person alone: as long as the recording, silent while they are. */
export interface Voice {
  /** As of an activity. */
  identity: string
  file: string
}

export interface JoinOrder {
  program: string
  frameRate: number
  hasPicture: boolean
  hasSound: boolean
  /** A folder for temporary files. */
  scratchFolder: string
  file: string
}

/** Joins the pieces of captures that follow each other into one MP4, by copying. */
export async function joinPieces(
  captures: readonly PiecesOfCapture[],
  order: JoinOrder,
): Promise<void> {
  const { program, hasPicture, hasSound, scratchFolder, file } = order
  const pictures = path.join(scratchFolder, 'pictures.txt')
  const sound = path.join(scratchFolder, 'sound.aac')
  if (hasPicture) await writeFile(pictures, listOf(captures.flat(), order))
  if (hasSound) {
    const packets = Readable.from(packetsOf(captures, order), { objectMode: false })
    await pipeline(packets, createWriteStream(sound))
  }
  const media = {
    pictures: hasPicture ? pictures : undefined,
    sound: hasSound ? sound : undefined,
  }
  const muxer = new FfmpegProcess(program, joinMedia(media, file))
  try {
    await muxer.finish()
  } finally {
    muxer.stop()
  }
}

/** For ffmpeg, with the exact length of each: files round it to a millisecond. */
function listOf(pieces: readonly Piece[], { frameRate }: Pick<JoinOrder, 'frameRate'>): string {
  const lines = pieces.flatMap(({ folder, summary }) => {
    const name = pictureOf(folder).replaceAll("'", String.raw`'\''`)
    const sec = (summary.end.frame - summary.fromFrame) / frameRate
    return [`file '${name}'`, `duration ${sec.toFixed(6)}`]
  })
  return `${lines.join('\n')}\n`
}

/**
 * The sound of each capture, as long as its picture to the nearest packet. What is too much or too little for one capture is made
 * up for by the next: the sound is never more than half a packet away from the picture, and covers all of it at the end.
 */
async function* packetsOf(
  captures: readonly PiecesOfCapture[],
  { frameRate }: Pick<JoinOrder, 'frameRate'>,
): AsyncGenerator<Buffer> {
  let [frames, packets] = [0, 0]
  for (const [index, pieces] of captures.entries()) {
    frames += framesIn(pieces)
    const end = (frames * AUDIO_RATE) / frameRate
    const isEnd = index === captures.length - 1
    const count = (isEnd ? Math.ceil(end / PACKET_SAMPLES) : packetAt(end)) - packets
    yield* cut(storedPackets(pieces), { skipped: 0, count })
    packets += count
  }
}

async function* storedPackets(pieces: PiecesOfCapture): AsyncGenerator<Buffer> {
  for (const { folder } of pieces) yield* adtsPackets(createReadStream(soundFileOf(folder)))
}

function framesIn(pieces: PiecesOfCapture): number {
  return pieces.at(-1)?.summary.end.frame ?? 0
}

/** Each piece with its first frame in the recording. */
function placed(captures: readonly PiecesOfCapture[]): (Piece & { frame: number })[] {
  let frames = 0
  return captures.flatMap((pieces) => {
    const before = frames
    frames += framesIn(pieces)
    return pieces.map((piece) => ({ ...piece, frame: before + piece.summary.fromFrame }))
  })
}

/** Writes the voices in these pieces, in the order of their first packets. */
export async function joinVoices(
  captures: readonly PiecesOfCapture[],
  order: Pick<JoinOrder, 'program' | 'frameRate'> & { folder: string },
): Promise<Voice[]> {
  const pieces = placed(captures)
  const sampleOf = (frame: number) => Math.round((frame * AUDIO_RATE) / order.frameRate)
  const identities = new Set(pieces.flatMap(({ summary }) => summary.voices))
  const voices: Voice[] = []
  for (const identity of identities) {
    const file = path.join(order.folder, `voice-${voices.length}.webm`)
    const parts = pieces.map(({ folder, frame, summary }) => {
      const index = summary.voices.indexOf(identity)
      return {
        file: index === -1 ? undefined : voiceFileOf(folder, index),
        from: sampleOf(frame),
        to: sampleOf(frame + summary.end.frame - summary.fromFrame),
      }
    })
    await writeVoice(order.program, file, parts)
    voices.push({ identity, file })
  }
  return voices
}

export function contentsOf(captures: readonly PiecesOfCapture[], frameRate: number): Contents {
  const msOf = (frames: number) => (frames * 1000) / frameRate
  const durationMs = msOf(captures.reduce((sum, pieces) => sum + framesIn(pieces), 0))
  const heard = placed(captures).map(({ summary, frame }) => {
    return { heard: summary.heard, offsetMs: msOf(frame) }
  })
  return {
    durationMs,
    captures: captures.map((pieces) => ({
      durationMs: msOf(framesIn(pieces)),
      absences: joinedAbsences(pieces.flatMap(({ summary }) => summary.absences)),
      tracks: joinedTracks(pieces.flatMap(({ summary }) => summary.tracks)),
    })),
    activities: activitiesOf(heard, durationMs),
  }
}

/** Absences that go on in the next piece are one. */
function joinedAbsences(absences: readonly CaptureAbsence[]): CaptureAbsence[] {
  const joined: CaptureAbsence[] = []
  for (const absence of absences) {
    const { reason, identity, codec } = absence
    const before = joined.find(
      (each) =>
        each.toMs === absence.fromMs &&
        each.reason === reason &&
        each.identity === identity &&
        each.codec === codec,
    )
    if (before === undefined) joined.push({ ...absence })
    else before.toMs = absence.toMs
  }
  return joined
}

/** A later piece knows the end of a track better, and the first one its beginning. */
function joinedTracks(tracks: readonly AnnouncedTrack[]): AnnouncedTrack[] {
  const joined = new Map<string, AnnouncedTrack>()
  for (const track of tracks) {
    const publishedMs = joined.get(track.track)?.publishedMs ?? track.publishedMs
    joined.set(track.track, { ...track, publishedMs })
  }
  return [...joined.values()]
}
