import sharp, { type Sharp } from 'sharp'
import { bitmapSizeOf, type ImageType, isCompleteImage } from './complete-image.ts'

/** The problem of an image; null if browsers show it; else the PNG that they show in its place. */
export type ImageVerdict = 'undecodable' | 'too_many_pixels' | null | Uint8Array

/** Longest side of a PNG that is shown in place of an image: more than most screens have. */
const SHOWN_MAX_PX = 4096

const FORMATS: Record<Exclude<ImageType, 'image/bmp'>, { format: string; loader: string }> = {
  'image/jpeg': { format: 'jpeg', loader: 'VipsForeignLoadJpegBuffer' },
  'image/png': { format: 'png', loader: 'VipsForeignLoadPngBuffer' },
  'image/gif': { format: 'gif', loader: 'VipsForeignLoadNsgifBuffer' },
  'image/webp': { format: 'webp', loader: 'VipsForeignLoadWebpBuffer' },
  'image/tiff': { format: 'tiff', loader: 'VipsForeignLoadTiffBuffer' },
}

/** Nothing of a decoded image is worth caching, and only these loaders are needed. */
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: Object.values(FORMATS).map(({ loader }) => loader) })

/** Decodes an image, or its first frame, to find out if that is possible, and makes a PNG of a TIFF. */
export async function judgeImage(
  bytes: Buffer,
  { type, maxPixels }: { type: ImageType; maxPixels: number },
): Promise<ImageVerdict> {
  const size = await sizeOf(bytes, type).catch(() => undefined)
  if (size === undefined) return 'undecodable'
  if (size.width * size.height > maxPixels) return 'too_many_pixels'
  // A bitmap with all its rows needs no decoder.
  if (type === 'image/bmp') return null
  const decoding = type === 'image/tiff' ? toPng(bytes, maxPixels) : decode(bytes, maxPixels)
  return decoding.catch(() => 'undecodable')
}

async function sizeOf(
  bytes: Buffer,
  type: ImageType,
): Promise<{ width: number; height: number } | undefined> {
  if (type === 'image/bmp') return bitmapSizeOf(bytes)
  if (!isCompleteImage(bytes, type)) return undefined
  const found = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (found.format !== FORMATS[type].format) return undefined
  if (type !== 'image/gif') return found
  // If a screen is far larger than its frames, the decoder returns the frames' size. Browsers use the screen's.
  return {
    width: Math.max(found.width, bytes.readUInt16LE(6)),
    height: Math.max(found.height, bytes.readUInt16LE(8)),
  }
}

/** Row by row; what comes out is as small as it can be. */
async function decode(bytes: Buffer, maxPixels: number): Promise<null> {
  await open(bytes, maxPixels)
    .resize(1, 1, { fit: 'fill', kernel: 'nearest', fastShrinkOnLoad: false })
    .raw()
    .toBuffer()
  return null
}

/** No browser shows a TIFF. */
async function toPng(bytes: Buffer, maxPixels: number): Promise<Uint8Array> {
  return open(bytes, maxPixels)
    .autoOrient()
    .resize(SHOWN_MAX_PX, SHOWN_MAX_PX, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png()
    .toBuffer()
}

function open(bytes: Buffer, maxPixels: number): Sharp {
  return sharp(bytes, { failOn: 'error', limitInputPixels: maxPixels, sequentialRead: true })
}
