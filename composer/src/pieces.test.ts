import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BEGAN_AT, writeCapture } from '../test/captured-people.ts'
import { ffmpeg, program } from '../test/sample-media.ts'
import { compose, composeNext } from './compose.ts'
import { readPiece, type Piece } from './pieces.ts'
import { union } from './spans.ts'

const LENGTH_MS = 75_000
const FRAME_RATE = 10
const SIZE = { width: 160, height: 120 }
const RATE = 8_000
const PLAN = {
  layout: 'grid',
  isFill: false,
  hasPicture: true,
  hasSound: true,
  encoding: { ...SIZE, frameRate: FRAME_RATE, videoKbps: 200, audioKbps: 64, keyFrameSec: 4 },
}

let folder: string
let whole: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pieces-'))
  whole = await captured('whole', LENGTH_MS)
})
afterAll(() => rm(folder, { recursive: true }))

/** The capture of an interview up to a moment. */
async function captured(name: string, lengthMs: number): Promise<string> {
  const capture = path.join(folder, name)
  await mkdir(capture)
  const until = (fromMs: number, toMs: number) =>
    fromMs < lengthMs ? [[fromMs, Math.min(toMs, lengthMs)] as const] : []
  await writeCapture(capture, {
    lengthMs,
    people: [
      {
        name: 'hanako',
        tracks: [
          { role: 'camera', colour: 'red', sent: until(0, LENGTH_MS) },
          { role: 'microphone', sent: [...until(0, 28_000), ...until(33_000, LENGTH_MS)] },
        ],
      },
      {
        name: 'mori',
        tracks: [
          { role: 'camera', colour: 'blue', sent: until(0, 50_000) },
          { role: 'microphone', sent: until(60_000, 70_000) },
        ],
      },
    ],
  })
  return capture
}

const options = (name: string) => ({
  plan: PLAN,
  program,
  scratchFolder: path.join(folder, `scratch-${name}`),
})

async function composed(name: string, capture: string, pieces: readonly Piece[]) {
  const voiceFolder = path.join(folder, `voices-${name}`)
  await mkdir(voiceFolder)
  const file = path.join(folder, `${name}.mp4`)
  const captures = [{ folder: capture, exhibits: [], pieces }]
  return { file, ...(await compose({ ...options(name), captures, file, voiceFolder })) }
}

const soundOf = async (file: string) => {
  const bytes = await ffmpeg(`-i ${file} -ac 1 -ar ${RATE} -f s16le pipe:1`)
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
}

const picturesOf = (file: string) => ffmpeg(`-i ${file} -vsync 0 -pix_fmt gray -f rawvideo pipe:1`)

/** The largest difference between two sounds, away from the first and last packet. */
function differenceOf(one: Int16Array, other: Int16Array): number {
  let most = 0
  for (let i = RATE / 10; i < Math.min(one.length, other.length) - RATE / 10; i++) {
    most = Math.max(most, Math.abs((one[i] ?? 0) - (other[i] ?? 0)))
  }
  return most
}

test('a recording of pieces that were made while it ran is that of the whole capture', async () => {
  const pieces: Piece[] = []
  for (const lengthMs of [40_000, 70_000]) {
    const capture = await captured(`until-${lengthMs}`, lengthMs)
    const made = await composeNext({
      ...options(`next-${lengthMs}`),
      capture: { folder: capture, exhibits: [] },
      after: pieces.at(-1)?.summary.end,
      isRunning: true,
      folder: path.join(folder, `piece-${lengthMs}`),
    })
    pieces.push(await readPiece(made?.folder ?? 'none'))
  }
  // In the pause of the only speaker, and ten seconds before the end of what has arrived.
  expect(pieces.map(({ summary }) => summary.end.ms - BEGAN_AT)).toEqual([30_000, 60_000])

  const expected = await composed('expected', whole, [])
  const joined = await composed('joined', whole, pieces)
  expect(joined).toMatchObject({ durationMs: LENGTH_MS, activities: expected.activities })
  const [content, joinedContent] = [expected, joined].map(({ captures }) => captures[0])
  expect(joinedContent?.tracks).toEqual(content?.tracks)
  expect(union(joinedContent?.absences ?? [])).toEqual(union(content?.absences ?? []))
  const [pictures, others] = await Promise.all(
    [expected, joined].map(({ file }) => picturesOf(file)),
  )
  expect(others?.length).toBe(pictures?.length)
  expect(differenceOf(new Int16Array(pictures ?? []), new Int16Array(others ?? []))).toBeLessThan(
    40,
  )
  const filesOf = ({ file, voices }: typeof joined) => [file, ...voices.map((voice) => voice.file)]
  expect(joined.voices.map(({ identity }) => identity)).toEqual(['hanako', 'mori'])
  for (const [index, each] of filesOf(joined).entries()) {
    const [sound, other] = await Promise.all([each, filesOf(expected)[index] ?? ''].map(soundOf))
    expect(Math.abs((sound?.length ?? 0) - (other?.length ?? 0))).toBeLessThan(RATE / 40)
    expect(differenceOf(sound ?? new Int16Array(), other ?? new Int16Array())).toBeLessThan(400)
  }
}, 240_000)
