import type { ObjectPlace } from '../storage/storage.ts'

/** Longest that a server may stay silent, in microseconds as ffmpeg counts. */
const SILENCE_US = 30_000_000

/**
 * What makes ffmpeg read from there, and from nowhere else, whatever the file says: a playlist that
 * pretends to be a video opens nothing.
 */
export function inputArgs(place: ObjectPlace): string[] {
  return [...readingArgs([place]), '-i', addressOf(place)]
}

export function addressOf(place: ObjectPlace): string {
  return place.kind === 'path' ? `file:${place.path}` : place.url
}

/** The same for several places that one demuxer reads. */
export function readingArgs(places: readonly ObjectPlace[]): string[] {
  const isRemote = places.some(({ kind }) => kind === 'url')
  if (!isRemote) return ['-protocol_whitelist', 'file']
  return ['-protocol_whitelist', 'file,http,https,tcp,tls', '-rw_timeout', String(SILENCE_US)]
}
