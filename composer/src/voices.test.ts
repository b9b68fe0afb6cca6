import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeCapture } from '../test/captured-people.ts'
import { ffmpeg, program } from '../test/sample-media.ts'
import { compose } from './compose.ts'

const RATE = 8_000
const WINDOW_MS = 500
const LOUD = 500

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'voices-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** The halves of a second in which a file is loud, and its length. */
async function loudIn(file: string): Promise<{ loud: number[]; lengthSec: number }> {
  const bytes = await ffmpeg(`-i ${file} -ac 1 -ar ${RATE} -f s16le pipe:1`)
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
  const size = (RATE * WINDOW_MS) / 1000
  const windows = Array.from({ length: Math.floor(samples.length / size) }, (_, window) =>
    Math.max(...samples.subarray(window * size + size / 4, (window + 1) * size - size / 4)),
  )
  const loud = windows.flatMap((peak, window) => (peak > LOUD ? [window] : []))
  return { loud, lengthSec: samples.length / RATE }
}

type Spans = Record<string, [fromMs: number, toMs: number][]>

const SPOKEN: Spans[] = [{ hanako: [[0, 1000]], mori: [[500, 2000]] }, { hanako: [[1000, 2000]] }]

const peopleOf = (spans: Spans) =>
  ['hanako', 'mori', 'silent'].map((name) => ({
    name,
    tracks: [{ role: 'microphone' as const, sent: spans[name] ?? [] }],
  }))

/** Composes the captures in these folders, with voices if there is a folder for them. */
function composed(captures: readonly string[], voiceFolder?: string) {
  const encoding = { frameRate: 10, videoKbps: 200, audioKbps: 64, keyFrameSec: 4 }
  return compose({
    plan: { layout: 'grid', isFill: false, hasPicture: true, hasSound: true, encoding },
    program,
    captures: captures.map((each) => ({ folder: each, exhibits: [] })),
    file: path.join(folder, 'composed.mp4'),
    scratchFolder: path.join(folder, 'scratch'),
    voiceFolder,
  })
}

test('each person has a file of their own sound, in the time of the video', async () => {
  const captures: string[] = []
  for (const [index, spans] of SPOKEN.entries()) {
    const capture = path.join(folder, `capture-${index}`)
    await mkdir(capture)
    await writeCapture(capture, { lengthMs: 2000, people: peopleOf(spans) })
    captures.push(capture)
  }
  const { voices, durationMs } = await composed(captures, folder)
  expect([durationMs, voices.map(({ identity }) => identity)]).toEqual([4000, ['hanako', 'mori']])
  const [hanako, mori] = await Promise.all(voices.map((voice) => loudIn(voice.file)))
  // The second capture begins at its fifth half of a second.
  expect([hanako?.loud, mori?.loud]).toEqual([
    [0, 1, 6, 7],
    [1, 2, 3],
  ])
  for (const voice of [hanako, mori]) expect(voice?.lengthSec).toBeCloseTo(4, 1)
})

test('somebody too quiet to be measured has one, too', async () => {
  const capture = path.join(folder, 'quiet')
  await mkdir(capture)
  const tracks = [{ role: 'microphone' as const, sent: [[0, 1000] as const], level: 127 }]
  await writeCapture(capture, { lengthMs: 1000, people: [{ name: 'hanako', tracks }] })
  const { voices } = await composed([capture], folder)
  expect(voices.map(({ identity }) => identity)).toEqual(['hanako'])
  expect(await loudIn(String(voices[0]?.file))).toMatchObject({ loud: [0, 1] })
})

test('without a folder for them, there are none', async () => {
  const capture = path.join(folder, 'alone')
  await mkdir(capture)
  const tracks = [{ role: 'microphone' as const, sent: [[0, 500] as const] }]
  await writeCapture(capture, { lengthMs: 500, people: [{ name: 'mori', tracks }] })
  expect((await composed([capture])).voices).toEqual([])
})
