import type { Box, Size } from './layouts.ts'

/** A picture of three planes: full brightness, and colour at half the resolution. */
export interface RawFrame extends Size {
  data: Buffer
}

interface Colour {
  y: number
  u: number
  v: number
}

export const BACKGROUND: Colour = { y: 20, u: 128, v: 128 }
export const EMPTY_TILE: Colour = { y: 38, u: 130, v: 127 }

export function rawBytes({ width, height }: Size): number {
  return (width * height * 3) / 2
}

/** The picture that is encoded next, drawn upon by copying. All places and sizes are even. */
export class Canvas implements RawFrame {
  readonly width: number
  readonly height: number
  readonly data: Buffer

  constructor({ width, height }: Size) {
    this.width = width
    this.height = height
    this.data = Buffer.alloc(rawBytes({ width, height }))
    this.paint({ x: 0, y: 0, width, height }, BACKGROUND)
  }

  paint(box: Box, { y, u, v }: Colour): void {
    const values = [y, u, v]
    planesOf(this).forEach((plane, i) => {
      const { x, y: top, width, height } = scaled(box, i)
      for (let row = top; row < top + height; row++) {
        const start = plane.offset + row * plane.width + x
        this.data.fill(values[i] ?? 0, start, start + width)
      }
    })
  }

  /** Copies a picture, or the upper left part of it, to a place. */
  draw(video: RawFrame, at: { x: number; y: number }, part: Size = video): void {
    const source = planesOf(video)
    planesOf(this).forEach((plane, i) => {
      const { x, y, width, height } = scaled({ ...at, width: part.width, height: part.height }, i)
      const from = source[i] ?? { offset: 0, width: 0 }
      for (let row = 0; row < height; row++) {
        const start = from.offset + row * from.width
        video.data.copy(this.data, plane.offset + (y + row) * plane.width + x, start, start + width)
      }
    })
  }
}

function planesOf({ width, height }: Size): { offset: number; width: number }[] {
  const colour = (width * height) / 4
  return [
    { offset: 0, width },
    { offset: width * height, width: width / 2 },
    { offset: width * height + colour, width: width / 2 },
  ]
}

function scaled(box: Box, plane: number): Box {
  if (plane === 0) return box
  return { x: box.x / 2, y: box.y / 2, width: box.width / 2, height: box.height / 2 }
}
