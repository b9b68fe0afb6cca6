import type { ObjectLocation } from '../ports/storage.ts'

/** Longest that a server may stay silent, in microseconds as ffmpeg counts. */
const SILENCE_US = 30_000_000

/**
 * The encoding of the files that we deliver: H.264 and AAC in an MP4 that plays while it loads. The picture gets nearly twice the
 * usual quality, because it was encoded before, and loses each time.
 */
export const ENCODING_ARGS: readonly string[] = [
  ...'-c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv420p'.split(' '),
  ...'-c:a aac -b:a 128k'.split(' '),
]

/** The output's container; its path follows. */
export const MP4_ARGS: readonly string[] = '-map_metadata -1 -movflags +faststart -f mp4'.split(' ')

/**
 * Keeps the files' own times. By default ffmpeg counts from the first packet, so that a track that begins late would begin at zero.
 */
export const OWN_TIMES = '-copyts'

/**
 * Makes ffmpeg read this location (addresses are those of `withLocalAddresses`) and nothing else, whatever the file says: a
 * playlist that pretends to be a video opens nothing.
 */
export function inputArgs(location: ObjectLocation): string[] {
  if (location.kind === 'path')
    return [...ONLY_VIDEOS, '-protocol_whitelist', 'file', '-i', `file:${location.path}`]
  const reading = `-protocol_whitelist http,tcp -rw_timeout ${SILENCE_US}`.split(' ')
  return [...ONLY_VIDEOS, ...reading, '-i', location.url]
}

/** The formats that `readMedia` takes. */
const ONLY_VIDEOS = '-format_whitelist mov,matroska'.split(' ')

/** The size in pixels and the rate of a video, in frames per second or as a fraction such as `30000/1001`. */
export interface VideoForm<Rate = number> {
  widthPx: number
  heightPx: number
  frameRate: Rate
}

/**
 * Filters that give a video another form, with bars where its shape differs. They fill the time between zero and its first
 * packet, so that a late start stays late.
 */
export function formFilters({
  widthPx,
  heightPx,
  frameRate,
}: VideoForm<number | string>): string[] {
  const size = `${widthPx}:${heightPx}`
  return [
    `fps=${frameRate}:start_time=0`,
    `scale=${size}:force_original_aspect_ratio=decrease`,
    `pad=${size}:(ow-iw)/2:(oh-ih)/2`,
    'setsar=1',
    'format=yuv420p',
  ]
}
