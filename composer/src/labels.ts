import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type RawFrame, rawBytes } from './canvas.ts'
import { drawText } from './ffmpeg-arguments.ts'
import { ExactReader, FfmpegProcess } from './ffmpeg-process.ts'
import { type Fonts, fontFor, isRightToLeft } from './fonts.ts'
import type { Box, Size } from './layouts.ts'

/** A name over the lower left corner of a tile. */
export interface Label {
  video: RawFrame
  /** The drawn part, as wide as the name. */
  part: Size
}

export interface LabelMaker {
  program: string
  fonts: Fonts
  folder: string
}

const FONT_PX = { min: 12, max: 28 }
const NAME_LENGTH_MAX = 60
// A pixel that is brighter than the background belongs to a letter.
const LETTER_BRIGHTNESS = 60

/**
 * The name's label for a tile, without the characters that no font of this machine can write together with the others; undefined
 * if nothing is left. A name that is wider than the tile ends with an ellipsis.
 */
export async function makeLabel(
  name: string,
  box: Box,
  { program, fonts, folder }: LabelMaker,
): Promise<Label | undefined> {
  const written = fontFor(writable(name), fonts)
  if (written === undefined) return undefined
  const { text, fontFile } = written

  const fontPx = Math.min(FONT_PX.max, Math.max(FONT_PX.min, Math.round(box.height / 16)))
  const height = Math.ceil(fontPx * 0.8) * 2
  if (height > box.height / 2) return undefined
  const roomPx = Math.floor(box.width / 2) * 2
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  // Wide enough for the complete name. Only the drawn text shows how much of it fits.
  const size = { width: Math.max(roomPx, (letters.length + 2) * fontPx * 2), height }
  const textFile = path.join(folder, 'label.txt')
  const isShaped = isRightToLeft(text)
  let kept = letters.length
  for (;;) {
    await writeFile(textFile, shortened(letters, kept), { mode: 0o600 })
    const args = drawText({ textFile, fontFile, isShaped }, { ...size, fontPx })
    const data = await draw(program, args, size)
    if (data === undefined) return undefined
    const video = { ...size, data }
    const widthPx = widthOf(video, fontPx)
    if (widthPx <= roomPx || kept === 0) {
      return { video, part: { width: Math.min(widthPx, roomPx), height } }
    }
    kept = Math.min(kept - 1, Math.floor((kept * Math.max(0, roomPx - fontPx)) / widthPx))
  }
}

/** The words on a gap in the recording, in the languages that the fonts of this machine can write. */
export function gapText(sec: number, { eastAsian }: Pick<Fonts, 'eastAsian'>): string {
  const english = `No recording, ${sec} s`
  return eastAsian === undefined ? english : `${english} / 録画なし ${sec} 秒`
}

/** Three full stops, because some fonts do not have the character. */
function shortened(letters: readonly string[], kept: number): string {
  if (kept === letters.length) return letters.join('')
  return `${letters.slice(0, kept).join('').trimEnd()}...`
}

// Includes skin colours, letters of flags and frames of keys, which are characters of their own.
const PICTURES =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u{20e3}\u{fe0f}\u{200d}]/gu

/** The text on one line, without characters that no font of this kind draws. */
export function drawable(text: string): string {
  const plain = text.normalize('NFC').replaceAll(PICTURES, '')
  return plain.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
}

function writable(name: string): string {
  return Array.from(drawable(name)).slice(0, NAME_LENGTH_MAX).join('')
}

/** One picture, or undefined: a build of ffmpeg that cannot draw text still composes. */
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
