import type { ObjectLocation } from '../ports/storage.ts'

/** Longest that a server may stay silent, in microseconds as ffmpeg counts. */
const SILENCE_US = 30_000_000

/**
 * What we deliver: H.264 and AAC in an MP4 that begins to play while it loads. Nearly twice the
 * usual care for the picture: it was encoded before, and loses with every time.
 */
export const ENCODING_ARGS: readonly string[] = [
  ...'-c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv420p'.split(' '),
  ...'-c:a aac -b:a 128k'.split(' '),
]

/** The output's container; its path follows. */
export const MP4_ARGS: readonly string[] = '-map_metadata -1 -movflags +faststart -f mp4'.split(' ')

/** Times stay those of the files. Else ffmpeg counts from the first packet, and what begins late begins at zero. */
export const OWN_TIMES = '-copyts'

/**
 * What makes ffmpeg read from there (addresses are those of `withLocalAddresses`), and from nowhere else, whatever the file says: a playlist that
 * pretends to be a video opens nothing.
 */
export function inputArgs(location: ObjectLocation): string[] {
  if (location.kind === 'path')
    return [...ONLY_VIDEOS, '-protocol_whitelist', 'file', '-i', `file:${location.path}`]
  const reading = `-protocol_whitelist http,tcp -rw_timeout ${SILENCE_US}`.split(' ')
  return [...ONLY_VIDEOS, ...reading, '-i', location.url]
}

/** The formats that `readMedia` takes. */
const ONLY_VIDEOS = '-format_whitelist mov,matroska'.split(' ')
