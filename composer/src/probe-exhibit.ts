import type { Exhibit, ExhibitMedia } from './exhibits.ts'
import { decodeExhibitSound, measurePicture } from './ffmpeg-arguments.ts'
import { ExactReader, FfmpegProcess } from './ffmpeg-process.ts'

// The head of a PPM: its mark, width and height in decimal digits.
const HEAD_BYTES = 32
const HEAD = /^P6\s+(\d+)\s+(\d+)\s/

/** How large a file is displayed, and whether it sounds; undefined for one that ffmpeg cannot read. */
export async function probeExhibit(
  program: string,
  { kind, file }: Pick<Exhibit, 'kind' | 'file'>,
): Promise<ExhibitMedia | undefined> {
  const head = await firstBytes(program, measurePicture(kind, file), HEAD_BYTES)
  const [, width, height] = HEAD.exec(head?.toString('latin1') ?? '') ?? []
  if (width === undefined || height === undefined) return undefined
  const length = { positionSec: 0, lengthSec: 0.1 }
  const sound =
    kind === 'image' ? undefined : await firstBytes(program, decodeExhibitSound(file, length), 1)
  return { width: Number(width), height: Number(height), hasSound: sound !== undefined }
}

async function firstBytes(
  program: string,
  args: readonly string[],
  sizeBytes: number,
): Promise<Buffer | undefined> {
  const process = new FfmpegProcess(program, args)
  try {
    return await new ExactReader(process.output).read(sizeBytes)
  } finally {
    process.stop()
  }
}
