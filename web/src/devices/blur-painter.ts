import { boxBlur } from './box-blur.ts'
import { FIELD_PX } from './person-finder.ts'

/** Wide enough for colours and light, and too narrow to recognise letters and faces. */
const BACKGROUND_WIDTH_PX = 80
const BLUR_RADIUS_PX = 3

type Output = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D

/** Returns, for each point of a square of FIELD_PX, the probability from 0 to 1 that it shows a person. */
export type FindPerson = (square: OffscreenCanvas) => Float32Array

/** Paints frames on a canvas with people sharp and the background blurred. */
export class BlurPainter {
  readonly #canvas: OffscreenCanvas | HTMLCanvasElement
  readonly #output: Output
  readonly #find: FindPerson
  readonly #field = smallCanvas()
  readonly #person = smallCanvas()
  readonly #mask = this.#person.createImageData(FIELD_PX, FIELD_PX)
  readonly #background = smallCanvas()

  /** Throws if the canvas cannot be painted on. */
  constructor(canvas: OffscreenCanvas | HTMLCanvasElement, find: FindPerson) {
    const output: Output | null = canvas.getContext('2d')
    if (output === null) throw new Error('no canvas to paint on')
    this.#canvas = canvas
    this.#output = output
    this.#find = find
  }

  /** Throws if the segmentation failed. The canvas must not be shown then. */
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

  /** Opaque where a person was found. */
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

/** Points below a probability of one half are fully transparent, so that no background shines through. */
function opacityOf(sure: number): number {
  return Math.min(Math.max((sure - 0.5) / 0.4, 0), 1)
}

/** Kept in CPU memory, because the CPU reads and writes it. */
function smallCanvas(): OffscreenCanvasRenderingContext2D {
  const canvas = new OffscreenCanvas(FIELD_PX, FIELD_PX)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('no canvas to paint on')
  return context
}
