import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type RawFrame, rawBytes } from './canvas.ts'
import { drawText } from './ffmpeg-arguments.ts'
import { ExactReader, FfmpegProcess } from './ffmpeg-process.ts'
import { type Fonts, fontFor } from './fonts.ts'
import type { Box, Size } from './layouts.ts'

/** A name as it is laid over the lower left corner of a tile. */
export interface Label {
  video: RawFrame
  /** The part that is drawn: as wide as the name. */
  part: Size
}

export interface LabelMaker {
  program: string
  fonts: Fonts
  folder: string
}

const FONT_PX = { min: 12, max: 28 }
const NAME_LENGTH_MAX = 60
// What is brighter than the ground belongs to a letter.
const LETTER_BRIGHTNESS = 60

/** The name's label for a tile, or undefined when nothing on this machine can write it. */
export async function makeLabel(
  name: string,
  box: Box,
  { program, fonts, folder }: LabelMaker,
): Promise<Label | undefined> {
  const text = writable(name)
  const fontFile = fontFor(text, fonts)
  if (text === '' || fontFile === undefined) return undefined

  const fontPx = Math.min(FONT_PX.max, Math.max(FONT_PX.min, Math.round(box.height / 16)))
  const size = { width: Math.floor(box.width / 2) * 2, height: Math.ceil(fontPx * 0.8) * 2 }
  if (size.height > box.height / 2) return undefined
  const textFile = path.join(folder, 'label.txt')
  await writeFile(textFile, text, { mode: 0o600 })
  const data = await draw(program, drawText({ textFile, fontFile }, { ...size, fontPx }), size)
  if (data === undefined) return undefined
  const video = { ...size, data }
  return { video, part: { width: widthOf(video, fontPx), height: size.height } }
}

/** The name on one line, without what no font of this kind draws. */
function writable(name: string): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(/[\p{Extended_Pictographic}\u{fe0f}\u{200d}]/gu, '')
  const line = plain.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return Array.from(line).slice(0, NAME_LENGTH_MAX).join('')
}

/** One picture, or undefined: a build of ffmpeg that cannot write text still composes. */
async function draw(
  program: string,
  args: readonly string[],
  size: Size,
): Promise<Buffer | undefined> {
  const process = new FfmpegProcess(program, args)
  const data = await new ExactReader(process.output).read(rawBytes(size))
  const isWell = await process.finish().then(
    () => true,
    () => false,
  )
  return isWell && data?.length === rawBytes(size) ? data : undefined
}

function widthOf({ data, width, height }: RawFrame, fontPx: number): number {
  for (let x = width - 1; x > 0; x--) {
    for (let y = 0; y < height; y++) {
      if ((data[y * width + x] ?? 0) <= LETTER_BRIGHTNESS) continue
      return Math.min(width, Math.ceil((x + fontPx / 2) / 2) * 2)
    }
  }
  return 2
}
