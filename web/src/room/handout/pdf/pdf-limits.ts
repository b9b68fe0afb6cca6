/** More than a presentation has; each page becomes a handout of its own. */
export const PDF_PAGES_MAX = 100
/** A PDF is read into the memory of the browser as a whole. */
export const PDF_MAX_BYTES = 100_000_000
/** Longer side of the image of a page, in pixels: readable when enlarged on a large screen. */
const IMAGE_SIDE_PX = 2400

/** How much larger than its size in points a page is drawn. */
export function scaleOf({ width, height }: { width: number; height: number }): number {
  return IMAGE_SIDE_PX / Math.max(width, height)
}

/** Pixels of the image of a page; a page that is a line still has one pixel across. */
export function imageSizeOf(page: { width: number; height: number }) {
  const scale = scaleOf(page)
  return {
    width: Math.max(1, Math.round(page.width * scale)),
    height: Math.max(1, Math.round(page.height * scale)),
  }
}
