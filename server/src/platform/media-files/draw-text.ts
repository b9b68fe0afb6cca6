import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { textFilter } from '@interview-room/composer/ffmpeg-arguments.ts'
import { findFonts, type Fonts, fontFor, isRightToLeft } from '@interview-room/composer/fonts.ts'
import { drawable } from '@interview-room/composer/labels.ts'
import { MediaFileError } from './media-file-error.ts'

/** A line of a caption; row 0 is the lowest. */
export interface CaptionLine {
  text: string
  row: number
  startSec: number
  endSec: number
}

/** Everything that is drawn over a video, by the time of the result. */
export interface DrawnText {
  captions: readonly CaptionLine[]
  /** Lines in the middle of the picture. */
  card: readonly string[]
  watermark: string | null
  /** Start of the video in the whole of which it is a part; it decides where the watermark is. */
  fromSec: number
}

interface Picture {
  widthPx: number
  heightPx: number
}

const LINE_SHARE = 1.35
/** The watermark is somewhere else after this time, so that nobody cuts it off. */
const MARK_STAYS_SEC = 15

/**
 * The filters of ffmpeg that draw these texts. Each text is a file in the folder, which is ffmpeg's working directory: no text is
 * part of a filter. A caption without letters that a font of this machine has is left out; a watermark throws `failed`.
 */
export async function drawingFilters(
  { captions, card, watermark, fromSec }: DrawnText,
  { widthPx, heightPx }: Picture,
  folder: string,
): Promise<string[]> {
  const fonts = findFonts()
  const captionPx = Math.round(heightPx / 20)
  const cardPx = Math.round(Math.min(heightPx / 14, widthPx / 24))
  const texts = [
    ...card.map((text, row) => {
      const y = heightPx / 2 + (row - card.length / 2 + 0.8) * LINE_SHARE * cardPx
      return { text, style: `fontsize=${cardPx}:fontcolor=white:${centred(y)}` }
    }),
    ...captions.map(({ text, row, startSec, endSec }) => {
      const y = heightPx - (1 + row * LINE_SHARE) * captionPx
      const time = `enable='gte(t,${startSec.toFixed(3)})*lt(t,${endSec.toFixed(3)})'`
      const box = `box=1:boxcolor=black@0.6:boxborderw=${Math.round(captionPx / 6)}`
      return { text, style: `fontsize=${captionPx}:fontcolor=white:${box}:${centred(y)}:${time}` }
    }),
  ]
  const drawn = await Promise.all(texts.map(async (each) => filterFor(each, fonts, folder)))
  if (watermark === null) return drawn.filter((filter) => filter !== undefined)
  const mark = await filterFor(
    { text: watermark, style: markStyle(heightPx, fromSec) },
    fonts,
    folder,
  )
  if (mark === undefined) throw new MediaFileError('failed', 'no font writes the watermark')
  return [...drawn.filter((filter) => filter !== undefined), mark]
}

/** All letters of a row stand on one line, whatever their height. */
function centred(baselinePx: number): string {
  return `x=(w-tw)/2:y=${Math.round(baselinePx)}-ascent`
}

function markStyle(heightPx: number, fromSec: number): string {
  const place = (share: string) =>
    `mod(${share}*floor((t+${fromSec.toFixed(1)})/${MARK_STAYS_SEC})+0.21,1)`
  const at = `x='(w-tw)*${place('0.37')}':y='(h-th)*${place('0.59')}'`
  const shadow = 'shadowcolor=black@0.4:shadowx=1:shadowy=1'
  return `fontsize=${Math.round(heightPx / 18)}:fontcolor=white@0.4:${shadow}:${at}`
}

let count = 0

async function filterFor(
  { text, style }: { text: string; style: string },
  fonts: Fonts,
  folder: string,
): Promise<string | undefined> {
  const written = fontFor(drawable(text), fonts)
  if (written === undefined) return undefined
  count += 1
  const textFile = `text-${count}.txt`
  await writeFile(path.join(folder, textFile), written.text, { mode: 0o600 })
  const { fontFile } = written
  return textFilter({ textFile, fontFile, isShaped: isRightToLeft(written.text) }, style)
}
