import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeVideo } from '../../testing/videos.ts'
import { isWholeVideo } from './measure-video.ts'

let folder: string
let video: Buffer
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-whole-'))
  const file = path.join(folder, 'whole.mp4')
  await makeVideo(file, { durationSec: 1 })
  video = await readFile(file)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each([
  ['a video is whole', () => video, true],
  ['a video without its last byte is not', () => video.subarray(0, -1), false],
  ['half a video is not', () => video.subarray(0, video.length / 2), false],
  ['a video without its first bytes is not', () => video.subarray(9), false],
  ['another file is not', () => Buffer.from('no video at all'), false],
])('%s', async (_, content, isWhole) => {
  const file = path.join(folder, 'given.mp4')
  await writeFile(file, content())
  expect(await isWholeVideo({ kind: 'path', path: file })).toBe(isWhole)
})
