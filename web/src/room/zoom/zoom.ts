/** How much larger than to fit, step by step. */
export const ZOOMS = [1, 1.5, 2, 3, 4] as const

/** The next larger or smaller step; the same at either end. */
export function zoomedBy(zoom: number, steps: 1 | -1): number {
  const index = ZOOMS.findIndex((each) => each === zoom)
  return ZOOMS[index + steps] ?? zoom
}

interface View {
  /** Of the part that is seen, in pixels. */
  size: number
  /** How far it is scrolled. */
  scroll: number
}

/** How far to scroll one direction, so that what was in the middle stays there. */
export function scrollAfterZoom({ size, scroll }: View, from: number, to: number): number {
  const middle = (scroll + size / 2) / from
  return Math.max(0, middle * to - size / 2)
}
