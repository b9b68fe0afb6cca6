import type { ObjectLocation } from '../ports/storage.ts'

/** Longest that a server may stay silent, in microseconds as ffmpeg counts. */
const SILENCE_US = 30_000_000

/**
 * What makes ffmpeg read from there (addresses are those of `withLocalAddresses`), and from nowhere else, whatever the file says: a playlist that
 * pretends to be a video opens nothing.
 */
export function inputArgs(location: ObjectLocation): string[] {
  if (location.kind === 'path')
    return ['-protocol_whitelist', 'file', '-i', `file:${location.path}`]
  const reading = `-protocol_whitelist http,tcp -rw_timeout ${SILENCE_US}`.split(' ')
  return [...reading, '-i', location.url]
}
