import { execFile } from 'node:child_process'
import { programEnvironment } from '@interview-room/composer/program-environment.ts'
import { IMAGE_MAX_PIXELS } from '@interview-room/contract/limits.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import { type ObjectLocation, type Storage, StorageError } from '../ports/storage.ts'
import { inputArgs } from './ffmpeg-args.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import { withLocalAddresses } from './local-addresses.ts'
import { lowerPriority } from './run-ffmpeg.ts'

/** Every browser plays the video, or a rendition of it, or no picture of it can be decoded. */
export type VideoVerdict = 'shown' | 'needs_rendition' | 'undecodable'

/** Time limit for one picture. */
const DECODE_MAX_MS = 20_000
const WORDS_MAX_BYTES = 4 * 1024 * 1024

/** Kinds that every browser plays. All others are shown as a rendition. */
const PLAYED_VIDEO = /^ +Stream #.*: Video: (?:h264|vp9|av1) [^\n]*?, yuvj?420p[(,]/m
const SOUND = /^ +Stream #.*: Audio: (\w+)/m
const PLAYED_SOUND = /^(?:aac|mp3|opus|flac)$/

const inTurn = oneAtATime('too many videos wait to be decoded')

/**
 * Decodes one picture of a video, in a process that gets no secrets and reads nothing but this file. Undefined without ffmpeg. A
 * video that takes too long is undecodable. Throws `StorageError`, 503 SERVICE_UNAVAILABLE if too many wait.
 */
export async function judgeVideo(
  storage: Pick<Storage, 'locate'>,
  { key, ffmpegPath }: { key: string; ffmpegPath: string | undefined },
): Promise<VideoVerdict | undefined> {
  const ffmpeg = await findFfmpeg(ffmpegPath).catch(() => undefined)
  if (ffmpeg === undefined) return undefined
  return inTurn(async () => {
    const location = await storage.locate(key, { forSec: (2 * DECODE_MAX_MS) / 1000 })
    return withLocalAddresses([location], ([local = location]) => decode(ffmpeg, local))
  })
}

async function decode(ffmpeg: string, location: ObjectLocation): Promise<VideoVerdict> {
  const { picture, words, isLate } = await run(ffmpeg, [
    ...'-hide_banner -nostdin -loglevel info -threads 1 -max_pixels'.split(' '),
    String(IMAGE_MAX_PIXELS),
    ...inputArgs(location),
    // The capital V leaves out the covers of sound files.
    ...'-map 0:V:0 -frames:v 1 -vf scale=1:1 -pix_fmt gray -f rawvideo pipe:1'.split(' '),
  ])
  if (isLate && location.kind === 'url') throw new StorageError('a video is not read in time')
  if (picture.length === 0) return 'undecodable'
  const [input = ''] = words.split(/^(?:Output|Stream mapping)/m)
  const [, sound = 'aac'] = SOUND.exec(input) ?? []
  return PLAYED_VIDEO.test(input) && PLAYED_SOUND.test(sound) ? 'shown' : 'needs_rendition'
}

async function run(
  ffmpeg: string,
  args: readonly string[],
): Promise<{ picture: Buffer; words: string; isLate: boolean }> {
  const options = {
    env: programEnvironment(),
    maxBuffer: WORDS_MAX_BYTES,
    encoding: 'buffer',
  } as const
  const limits = { timeout: DECODE_MAX_MS, killSignal: 'SIGKILL' } as const
  return new Promise((resolve) => {
    const child = execFile(ffmpeg, args, { ...options, ...limits }, (error, picture, words) =>
      resolve({ picture, words: words.toString(), isLate: error?.killed === true }),
    )
    lowerPriority(child)
  })
}
