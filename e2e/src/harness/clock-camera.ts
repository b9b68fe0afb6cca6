import type { Page } from 'playwright-core'
import { tile } from './room-page.ts'

/** How a moment is painted: as twelve black and white squares, the lowest bit first. */
const PAINTED = { bits: 12, columns: 4, sidePx: 160, stepMs: 16 }

/** Runs in a page before its own scripts: its camera films nothing but the time. */
export const CLOCK_CAMERA = `{
  const { bits, columns, sidePx, stepMs } = ${JSON.stringify(PAINTED)}
  const canvas = document.createElement('canvas')
  canvas.width = columns * sidePx
  canvas.height = (bits / columns) * sidePx
  const paint = canvas.getContext('2d')
  setInterval(() => {
    const moment = Math.floor(Date.now() / stepMs)
    for (let bit = 0; bit < bits; bit += 1) {
      paint.fillStyle = (moment >> bit) & 1 ? '#fff' : '#000'
      const [x, y] = [bit % columns, Math.floor(bit / columns)]
      paint.fillRect(x * sidePx, y * sidePx, sidePx, sidePx)
    }
  }, 2 * stepMs)
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  navigator.mediaDevices.getUserMedia = async (wish) => {
    const stream = await ask(wish)
    if (!wish.video) return stream
    for (const track of stream.getVideoTracks()) track.stop()
    return new MediaStream([...stream.getAudioTracks(), ...canvas.captureStream(30).getTracks()])
  }
}`

/** How old the picture is that the tile of this person shows, in milliseconds. */
export async function frameAgeMs(page: Page, name: string): Promise<number> {
  return tile(page, name)
    .locator('video')
    .evaluate((video: HTMLVideoElement, { bits, columns, stepMs }) => {
      const rows = bits / columns
      const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight)
      const paint = canvas.getContext('2d', { willReadFrequently: true })
      if (paint === null) throw new Error('no canvas')
      paint.drawImage(video, 0, 0)
      const now = Math.floor(Date.now() / stepMs)
      let moment = 0
      for (let bit = 0; bit < bits; bit += 1) {
        const x = ((bit % columns) + 0.5) * (canvas.width / columns)
        const y = (Math.floor(bit / columns) + 0.5) * (canvas.height / rows)
        const [red = 0] = paint.getImageData(Math.floor(x), Math.floor(y), 1, 1).data
        if (red > 127) moment += 2 ** bit
      }
      const turn = 2 ** bits
      return ((((now - moment) % turn) + turn) % turn) * stepMs
    }, PAINTED)
}

/** A place in a picture, in pixels. */
interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Brightness, out of 255, by which the pixels of a square differ from its colour at most, on average. */
const BLUR_MAX = 45

/**
 * The moment that is painted in one of these parts of a picture, in Unix milliseconds close to `nearMs`: in the one with the
 * clearest squares. Undefined if no clock is there, or while it is changing.
 */
export function momentIn(
  picture: { pixels: Uint8Array; widthPx: number },
  boxes: readonly Box[],
  nearMs: number,
): number | undefined {
  const [clearest] = boxes
    .map((box) => readSquares(picture, box))
    // A tile without a picture is dark.
    .filter(({ moment }) => moment !== 0)
    .toSorted((one, other) => one.blur - other.blur)
  if (clearest === undefined || clearest.blur > BLUR_MAX) return undefined
  const turnMs = 2 ** PAINTED.bits * PAINTED.stepMs
  const shownMs = clearest.moment * PAINTED.stepMs
  return Math.round((nearMs - shownMs) / turnMs) * turnMs + shownMs
}

/** @returns `blur` of the square that is the least clear. */
function readSquares(
  picture: { pixels: Uint8Array; widthPx: number },
  { x, y, width, height }: Box,
): { moment: number; blur: number } {
  const { bits, columns } = PAINTED
  const size = { width: width / columns, height: (height * columns) / bits }
  let [moment, blur] = [0, 0]
  for (let bit = 0; bit < bits; bit += 1) {
    const left = x + (bit % columns) * size.width
    const top = y + Math.floor(bit / columns) * size.height
    const lights = lightsIn(picture, { x: left, y: top, ...size })
    const mean = lights.reduce((sum, light) => sum + light, 0) / lights.length
    const colour = mean > 127 ? 255 : 0
    if (colour > 0) moment += 2 ** bit
    const off = lights.reduce((sum, light) => sum + Math.abs(light - colour), 0) / lights.length
    blur = Math.max(blur, off)
  }
  return { moment, blur }
}

/** Brightness of the pixels in a square, without its edges and without the lower part, where a name may stand. */
function lightsIn(
  { pixels, widthPx }: { pixels: Uint8Array; widthPx: number },
  square: Box,
): number[] {
  const lights: number[] = []
  for (let y = square.y + square.height * 0.1; y < square.y + square.height * 0.35; y += 1) {
    for (let x = square.x + square.width * 0.2; x < square.x + square.width * 0.8; x += 1) {
      lights.push(pixels[Math.floor(y) * widthPx + Math.floor(x)] ?? 127)
    }
  }
  return lights
}
