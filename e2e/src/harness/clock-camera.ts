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
