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

/** Limit of frames and pages. A decoder counts them all before it shows the first one. */
const FRAMES_MAX = 10_000

/**
 * Returns false for what libvips decodes although it should be refused: a PNG without its end, a GIF cut off after
 * its first frame, pages of a TIFF that follow each other in a circle, too many frames or pages. Reads each byte
 * once at most. Every other defect is left to the decoder.
 */
export function isCompleteImage(bytes: Buffer, type: Exclude<ImageType, 'image/bmp'>): boolean {
  try {
    return CHECKS[type]?.(bytes) ?? true
  } catch (error) {
    // A read after the end.
    if (error instanceof RangeError) return false
    throw error
  }
}

const CHECKS: Partial<Record<ImageType, (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => bytes.includes(PNG_END),
  'image/gif': isCompleteGif,
  'image/tiff': isCompleteTiff,
}

/** The last chunk of a PNG, the same in every file. */
const PNG_END = Buffer.from('0000000049454e44ae426082', 'hex')

const GIF = { extension: 0x21, frame: 0x2c, headBytes: 13, frameBytes: 10 }
const GIF_BLOCKS = [GIF.extension, GIF.frame]

function isCompleteGif(bytes: Buffer): boolean {
  let at = GIF.headBytes + colorTableBytes(bytes.readUInt8(10))
  let frames = 0
  for (;;) {
    // The trailer. Browsers also show files that end without it.
    if (at === bytes.length || !GIF_BLOCKS.includes(bytes.readUInt8(at))) return frames > 0
    if (bytes.readUInt8(at) === GIF.extension) at += 2
    else {
      frames += 1
      if (frames > FRAMES_MAX) return false
      at += GIF.frameBytes + colorTableBytes(bytes.readUInt8(at + GIF.frameBytes - 1)) + 1
    }
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
