import sharp from 'sharp'
import { bitmapSizeOf, type ImageType, isCompleteImage } from './complete-image.ts'

/** The problem of an image; null if it can be shown. */
export type ImageProblem = 'undecodable' | 'too_many_pixels' | null

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

/** Decodes an image, or its first frame, to find out if that is possible. */
export async function judgeImage(
  bytes: Buffer,
  { type, maxPixels }: { type: ImageType; maxPixels: number },
): Promise<ImageProblem> {
  const size = await sizeOf(bytes, type).catch(() => undefined)
  if (size === undefined) return 'undecodable'
  if (size.width * size.height > maxPixels) return 'too_many_pixels'
  // A bitmap with all its rows needs no decoder.
  if (type === 'image/bmp') return null
  return decode(bytes, maxPixels).then(
    () => null,
    () => 'undecodable',
  )
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
async function decode(bytes: Buffer, maxPixels: number): Promise<void> {
  await sharp(bytes, { failOn: 'error', limitInputPixels: maxPixels, sequentialRead: true })
    .resize(1, 1, { fit: 'fill', kernel: 'nearest', fastShrinkOnLoad: false })
    .raw()
    .toBuffer()
}
