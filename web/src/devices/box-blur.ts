export interface Pixels {
  /** Red, green, blue and opacity of each pixel, row by row. */
  data: Uint8ClampedArray
  width: number
  height: number
}

/** The opacity stays unchanged. */
const COLOURS = [0, 1, 2]
/** Two rounds look smooth; after one round edges are visible. */
const ROUNDS = 2

/** Replaces the colour of each pixel with the mean within the radius, in px. The edge pixels continue outside. */
export function boxBlur({ data, width, height }: Pixels, radius: number): void {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let y = 0; y < height; y += 1)
      blurLine(data, { from: y * width, step: 1, size: width, radius })
    for (let x = 0; x < width; x += 1)
      blurLine(data, { from: x, step: width, size: height, radius })
  }
}

interface Line {
  /** The index of the first pixel; `step` counts in the same unit. */
  from: number
  step: number
  size: number
  radius: number
}

function blurLine(data: Uint8ClampedArray, { from, step, size, radius }: Line): void {
  for (const colour of COLOURS) {
    const before = Array.from(
      { length: size },
      (_, index) => data[4 * (from + index * step) + colour] ?? 0,
    )
    const at = (index: number) => before[Math.min(Math.max(index, 0), size - 1)] ?? 0
    let sum = 0
    for (let index = -radius; index <= radius; index += 1) sum += at(index)
    for (let index = 0; index < size; index += 1) {
      data[4 * (from + index * step) + colour] = sum / (2 * radius + 1)
      sum += at(index + radius + 1) - at(index - radius)
    }
  }
}
