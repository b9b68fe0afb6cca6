/** Media types of images that the service takes. */
export const IMAGE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/bmp',
  'image/tiff',
] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

/** The most frames or pages of an image. Decoders count them all before the first one. */
const FRAMES_MAX = 10_000

/**
 * True if an image is complete, by the structure of its format: decoders show truncated images, and follow a cycle of TIFF pages.
 * Reads each byte once at most.
 */
export function isCompleteImage(bytes: Buffer, type: ImageType): boolean {
  try {
    return CHECKS[type](bytes)
  } catch (error) {
    // A read beyond the end.
    if (error instanceof RangeError) return false
    throw error
  }
}

const CHECKS: Record<ImageType, (bytes: Buffer) => boolean> = {
  'image/jpeg': isCompleteJpeg,
  'image/png': isCompletePng,
  'image/gif': isCompleteGif,
  'image/webp': (bytes) => 8 + bytes.readUInt32LE(4) <= bytes.length,
  'image/bmp': (bytes) => bitmapSizeOf(bytes) !== undefined,
  'image/tiff': isCompleteTiff,
}

const PNG_SIGNATURE_BYTES = 8

function isCompletePng(bytes: Buffer): boolean {
  let at = PNG_SIGNATURE_BYTES
  for (;;) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) return false
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return true
    at = end
  }
}

const JPEG_START = 0xd8
const JPEG_END = 0xd9

function isCompleteJpeg(bytes: Buffer): boolean {
  let at = 0
  for (;;) {
    at = nextJpegMarker(bytes, at)
    const marker = bytes.readUInt8(at + 1)
    if (marker === JPEG_END) return true
    at += 2
    if (marker !== JPEG_START) at += bytes.readUInt16BE(at)
  }
}

/** Skips the coded picture, and the bytes between segments, as decoders do. */
function nextJpegMarker(bytes: Buffer, start: number): number {
  let at = start
  for (;;) {
    at = bytes.indexOf(0xff, at)
    if (at < 0) throw new RangeError('the image has no end')
    const next = bytes.readUInt8(at + 1)
    const isRestart = next >= 0xd0 && next <= 0xd7
    if (next > 0x01 && next !== 0xff && !isRestart) return at
    at += next === 0xff ? 1 : 2
  }
}

const GIF = { extension: 0x21, frame: 0x2c, end: 0x3b, headBytes: 13, frameBytes: 10 }

function isCompleteGif(bytes: Buffer): boolean {
  let at = GIF.headBytes + colorTableBytes(bytes.readUInt8(10))
  let frames = 0
  for (;;) {
    const block = bytes.readUInt8(at)
    if (block === GIF.end) return frames > 0
    if (block === GIF.extension) at += 2
    else if (block === GIF.frame) {
      frames += 1
      if (frames > FRAMES_MAX) return false
      at += GIF.frameBytes + colorTableBytes(bytes.readUInt8(at + GIF.frameBytes - 1)) + 1
    } else return false
    for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at))
      at += 1 + length
    at += 1
  }
}

function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1)
}

/** A page gives the offset of the next one. If that leads back, the pages never end. */
function isCompleteTiff(bytes: Buffer): boolean {
  const isLittle = bytes.toString('latin1', 0, 2) === 'II'
  const word = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const long = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const pages = new Set<number>()
  for (let at = long(4); at !== 0; at = long(at + 2 + 12 * word(at))) {
    if (pages.has(at) || pages.size === FRAMES_MAX) return false
    pages.add(at)
  }
  return pages.size > 0
}

/** The header that OS/2 wrote. Later headers are longer and begin in the same way. */
const OS2_HEADER_BYTES = 12
/** Compressions of the picture: rows, run lengths of 8 or 4 bits, rows with masks. */
const BITMAP = { rows: [0, 3, 6], runs: [1, 2], depths: [1, 2, 4, 8, 16, 24, 32] }

/** Width and height of a complete bitmap; undefined for any other. */
export function bitmapSizeOf(bytes: Buffer): { width: number; height: number } | undefined {
  const pictureAt = bytes.readUInt32LE(10)
  const isOs2 = bytes.readUInt32LE(14) === OS2_HEADER_BYTES
  const width = isOs2 ? bytes.readUInt16LE(18) : bytes.readInt32LE(18)
  const height = isOs2 ? bytes.readUInt16LE(20) : Math.abs(bytes.readInt32LE(22))
  const depth = bytes.readUInt16LE(isOs2 ? 24 : 28)
  const compression = isOs2 ? 0 : bytes.readUInt32LE(30)
  if (width <= 0 || height <= 0 || !BITMAP.depths.includes(depth)) return undefined

  const stored = bytes.length - pictureAt
  const isThere = BITMAP.rows.includes(compression)
    ? stored >= Math.ceil((width * depth) / 32) * 4 * height
    : BITMAP.runs.includes(compression) && endsItsRuns(bytes.subarray(pictureAt))
  return isThere ? { width, height } : undefined
}

/** Pairs of a count and a value. A count of zero is followed by a command, of which 1 ends the picture. */
function endsItsRuns(runs: Buffer): boolean {
  return runs.lastIndexOf(Buffer.from([0, 1])) >= 0
}
