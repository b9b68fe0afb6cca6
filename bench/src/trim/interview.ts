import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const PROGRAM_MS = 600_000

/** Makes a video with movement and sound that is not too easy to encode, in the format of an egress. */
export async function makeInterview(
  ffmpeg: string,
  { file, seconds }: { file: string; seconds: number },
): Promise<void> {
  const picture = `testsrc2=s=640x480:r=15:d=${seconds},noise=alls=8:allf=t`
  const args = [
    ...'-hide_banner -nostdin -loglevel error -y -f lavfi -i'.split(' '),
    picture,
    ...`-f lavfi -i sine=f=440:r=48000:d=${seconds} -g 150`.split(' '),
    ...'-c:v libx264 -preset veryfast -crf 26 -pix_fmt yuv420p -c:a aac -movflags +faststart'.split(
      ' ',
    ),
    file,
  ]
  await promisify(execFile)(ffmpeg, args, { timeout: PROGRAM_MS })
}

export interface Cut {
  source: string
  target: string
  startSec: number
  endSec: number
}

/** Makes the same cut with a plain command line, at the priority that the service uses. */
export async function cutPlainly(ffmpeg: string, cut: Cut): Promise<void> {
  const args = [
    '-n',
    '10',
    ffmpeg,
    ...`-hide_banner -nostdin -loglevel error -y -ss ${cut.startSec} -i`.split(' '),
    cut.source,
    ...`-t ${cut.endSec - cut.startSec}`.split(' '),
    ...'-c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv420p -c:a aac -b:a 128k'.split(' '),
    ...'-movflags +faststart'.split(' '),
    cut.target,
  ]
  await promisify(execFile)('nice', args, { timeout: PROGRAM_MS })
}
