/** More pages than a presentation has. Each page becomes a separate handout. */
export const PDF_PAGES_MAX = 100
/** The whole PDF is read into the browser's memory. */
export const PDF_MAX_BYTES = 100_000_000
/** Longer side of a page's image, in pixels: readable when enlarged on a large screen. */
const IMAGE_SIDE_PX = 2400

/** The scale at which a page is rendered, relative to its size in points. */
export function scaleOf({ width, height }: { width: number; height: number }): number {
  return IMAGE_SIDE_PX / Math.max(width, height)
}

/** The size of a page's image in pixels. Even an extremely narrow page is at least one pixel wide. */
export function imageSizeOf(page: { width: number; height: number }) {
  const scale = scaleOf(page)
  return {
    width: Math.max(1, Math.round(page.width * scale)),
    height: Math.max(1, Math.round(page.height * scale)),
  }
}
