/** The zoom factors, relative to the size that fits. */
export const ZOOMS = [1, 1.5, 2, 3, 4] as const

/** The next larger or smaller factor. At either end it stays the same. */
export function zoomedBy(zoom: number, steps: 1 | -1): number {
  const index = ZOOMS.findIndex((each) => each === zoom)
  return ZOOMS[index + steps] ?? zoom
}

interface View {
  /** Length of the visible part, in pixels. */
  size: number
  /** Scroll offset. */
  scroll: number
}

/** The scroll offset in one direction that keeps the middle of the view in place. */
export function scrollAfterZoom({ size, scroll }: View, from: number, to: number): number {
  const middle = (scroll + size / 2) / from
  return Math.max(0, middle * to - size / 2)
}
