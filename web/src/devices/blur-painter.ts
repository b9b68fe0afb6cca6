import { boxBlur } from './box-blur.ts'
import { FIELD_PX } from './person-finder.ts'

/** Wide enough for colours and light, too small for letters and faces. */
const BACKGROUND_WIDTH_PX = 80
const BLUR_RADIUS_PX = 3

type Output = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D

/** Says how sure it is that each point of a square of FIELD_PX shows a person, 0 to 1. */
export type FindPerson = (square: OffscreenCanvas) => Float32Array

/** Paints pictures on a canvas: people as they are, and the rest blurred. */
export class BlurPainter {
  readonly #canvas: OffscreenCanvas | HTMLCanvasElement
  readonly #output: Output
  readonly #find: FindPerson
  readonly #field = smallCanvas()
  readonly #person = smallCanvas()
  readonly #mask = this.#person.createImageData(FIELD_PX, FIELD_PX)
  readonly #background = smallCanvas()

  /** Throws where the canvas cannot be painted on. */
  constructor(canvas: OffscreenCanvas | HTMLCanvasElement, find: FindPerson) {
    const output: Output | null = canvas.getContext('2d')
    if (output === null) throw new Error('no canvas to paint on')
    this.#canvas = canvas
    this.#output = output
    this.#find = find
  }

  /** Throws where people could not be looked for: what is on the canvas then is not to be shown. */
  paint(frame: VideoFrame): void {
    const { displayWidth: width, displayHeight: height } = frame
    this.#paintPerson(frame)
    this.#paintBackground(frame)
    if (this.#canvas.width !== width) this.#canvas.width = width
    if (this.#canvas.height !== height) this.#canvas.height = height
    const layers = [
      ['copy', this.#person.canvas],
      ['source-in', frame],
      ['destination-over', this.#background.canvas],
    ] as const
    for (const [operation, layer] of layers) {
      this.#output.globalCompositeOperation = operation
      this.#output.drawImage(layer, 0, 0, width, height)
    }
  }

  /** Opaque where the person is. */
  #paintPerson(frame: VideoFrame): void {
    this.#field.drawImage(frame, 0, 0, FIELD_PX, FIELD_PX)
    const sureness = this.#find(this.#field.canvas)
    for (let at = 0; at < sureness.length; at += 1) {
      this.#mask.data[4 * at + 3] = 255 * opacityOf(sureness[at] ?? 0)
    }
    this.#person.putImageData(this.#mask, 0, 0)
  }

  #paintBackground(frame: VideoFrame): void {
    const width = BACKGROUND_WIDTH_PX
    const height = Math.round((width * frame.displayHeight) / frame.displayWidth)
    const { canvas } = this.#background
    if (canvas.width !== width) canvas.width = width
    if (canvas.height !== height) canvas.height = height
    this.#background.imageSmoothingQuality = 'high'
    this.#background.drawImage(frame, 0, 0, width, height)
    const image = this.#background.getImageData(0, 0, width, height)
    boxBlur(image, BLUR_RADIUS_PX)
    this.#background.putImageData(image, 0, 0)
  }
}

/** What is more likely no person is not seen at all, however faintly. */
function opacityOf(sure: number): number {
  return Math.min(Math.max((sure - 0.5) / 0.4, 0), 1)
}

/** Kept in the memory of the CPU, which reads and writes it. */
function smallCanvas(): OffscreenCanvasRenderingContext2D {
  const canvas = new OffscreenCanvas(FIELD_PX, FIELD_PX)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('no canvas to paint on')
  return context
}
