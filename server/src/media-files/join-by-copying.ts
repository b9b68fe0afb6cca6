import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ObjectPlace } from '../storage/storage.ts'
import { MP4_ARGS } from './encoding.ts'
import { addressOf, readingArgs } from './media-place.ts'
import type { Joining, Part } from './parts.ts'
import { runFfmpeg } from './run-ffmpeg.ts'

/** Puts the packets of the parts one after the other; answers where the file is. */
export async function joinByCopying(
  ffmpeg: string,
  joining: Joining,
  parts: readonly Part[],
): Promise<string> {
  const list = path.join(joining.folder, 'parts.ffconcat')
  const target = path.join(joining.folder, 'copied.mp4')
  await writeFile(list, listOf(parts), { mode: 0o600 })
  await runFfmpeg(ffmpeg, {
    ...joining,
    args: [
      ...'-f concat -safe 0'.split(' '),
      ...readingArgs([LIST, ...parts.map(({ place }) => place)]),
      '-i',
      `file:${list}`,
      // Sound begins a little before zero, to set up its decoder: that must stay before zero.
      ...'-c copy -copyts -avoid_negative_ts disabled'.split(' '),
      ...MP4_ARGS,
      `file:${target}`,
    ],
  })
  return target
}

/** Is read like the parts. */
const LIST: ObjectPlace = { kind: 'path', path: 'parts.ffconcat' }

/** With the measured lengths: those that the files claim are rounded, and add up. */
function listOf(parts: readonly Part[]): string {
  const lines = parts.flatMap(({ place, durationSec }) => [
    `file '${addressOf(place).replaceAll("'", String.raw`'\''`)}'`,
    `duration ${durationSec.toFixed(6)}`,
  ])
  return `${['ffconcat version 1.0', ...lines].join('\n')}\n`
}
