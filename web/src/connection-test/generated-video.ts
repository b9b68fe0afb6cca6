export interface VideoSize {
  widthPx: number
  heightPx: number
  frameRate: number
}

export interface GeneratedVideo {
  track: MediaStreamTrack
  stop(): void
}

type Draw = (brush: CanvasRenderingContext2D, frame: number) => void

/** A video with about as much movement and detail as a person who talks to a camera. */
export function openTalkingVideo(size: VideoSize): GeneratedVideo {
  const noise = noiseSheet(size)
  const { widthPx, heightPx, frameRate } = size
  return openVideo(size, (brush, frame) => {
    const sec = frame / frameRate
    const sky = brush.createLinearGradient(0, 0, widthPx, heightPx)
    sky.addColorStop(0, '#7d8b99')
    sky.addColorStop(1, '#3d4650')
    brush.fillStyle = sky
    brush.fillRect(0, 0, widthPx, heightPx)
    drawHead(brush, {
      xPx: widthPx * (0.5 + 0.06 * Math.sin(sec * 1.3)),
      yPx: heightPx * (0.48 + 0.04 * Math.sin(sec * 2.1)),
      radiusPx: heightPx * 0.24,
      mouth: 0.5 + 0.5 * Math.sin(sec * 11),
    })
    const { x, y } = anywhereOn(noise, size)
    brush.globalAlpha = GRAIN
    brush.drawImage(noise, -x, -y)
    brush.globalAlpha = 1
  })
}

/** The image noise of a camera indoors. */
const GRAIN = 0.06

interface Head {
  xPx: number
  yPx: number
  radiusPx: number
  mouth: number
}

function drawHead(brush: CanvasRenderingContext2D, { xPx, yPx, radiusPx, mouth }: Head): void {
  brush.fillStyle = '#c9a58b'
  brush.beginPath()
  brush.ellipse(xPx, yPx, radiusPx * 0.8, radiusPx, 0, 0, 2 * Math.PI)
  brush.fill()
  brush.fillStyle = '#46586e'
  brush.fillRect(xPx - radiusPx * 1.7, yPx + radiusPx * 1.1, radiusPx * 3.4, radiusPx * 3)
  brush.fillStyle = '#5b2f2a'
  brush.beginPath()
  brush.ellipse(
    xPx,
    yPx + radiusPx / 2,
    radiusPx / 3,
    (radiusPx / 6) * mouth + 1,
    0,
    0,
    2 * Math.PI,
  )
  brush.fill()
}

function openVideo({ widthPx, heightPx, frameRate }: VideoSize, draw: Draw): GeneratedVideo {
  const { canvas, brush } = openCanvas(widthPx, heightPx)
  let frame = 0
  const drawNext = () => draw(brush, frame++)
  drawNext()
  const timer = setInterval(drawNext, 1000 / frameRate)
  const [track] = canvas.captureStream(frameRate).getVideoTracks()
  if (track === undefined) throw new Error('the canvas gives no picture')
  return {
    track,
    stop: () => {
      clearInterval(timer)
      track.stop()
    },
  }
}

/** Larger than the picture, so that each frame can show a different part. */
function noiseSheet({ widthPx, heightPx }: VideoSize): HTMLCanvasElement {
  const { canvas, brush } = openCanvas(widthPx * 2, heightPx * 2)
  const image = brush.createImageData(canvas.width, canvas.height)
  const dots = new Uint32Array(image.data.buffer)
  for (let index = 0; index < dots.length; index += 1) {
    dots[index] = Math.trunc(Math.random() * 0x1_00_00_00) + 0xff_00_00_00
  }
  brush.putImageData(image, 0, 0)
  return canvas
}

function anywhereOn(sheet: HTMLCanvasElement, { widthPx, heightPx }: VideoSize) {
  return {
    x: Math.floor(Math.random() * (sheet.width - widthPx)),
    y: Math.floor(Math.random() * (sheet.height - heightPx)),
  }
}

function openCanvas(widthPx: number, heightPx: number) {
  const canvas = document.createElement('canvas')
  canvas.width = widthPx
  canvas.height = heightPx
  const brush = canvas.getContext('2d')
  if (brush === null) throw new Error('the browser cannot draw')
  return { canvas, brush }
}
