import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureVideo } from '../media-files/measure-video.ts'
import { repeatSample } from './repeat-sample.ts'

const SAMPLE = path.join(import.meta.dirname, 'sample-recording.mp4')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-sample-'))
})
afterAll(() => rm(folder, { recursive: true }))

test.each([0.2, 3, 6, 61.5, 600])('makes a video of %s seconds', async (lengthSec) => {
  const file = path.join(folder, `${lengthSec}.mp4`)
  await repeatSample(SAMPLE, file, lengthSec)
  const measured = await measureVideo({ kind: 'path', path: file }, AbortSignal.timeout(60_000))
  expect(measured.durationSec).toBeCloseTo(lengthSec, 3)
  expect(measured.audio).toBeDefined()
})
