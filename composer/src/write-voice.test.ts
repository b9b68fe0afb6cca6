import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audioOf, ffmpeg, program } from '../test/sample-media.ts'
import { AUDIO_RATE } from './opus.ts'
import type { AudioMedia } from './track-media.ts'
import { writeVoice, writeVoicePackets } from './write-voice.ts'

const RATE = 8_000
const PACKET_MS = 20
const SILENCE = Buffer.of(0xf8, 0xff, 0xfe)
const LENGTH_SEC = 60
const TONE_SEC = 59
const LOUD = 1_000

let folder: string
let tone: Buffer
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'write-voice-'))
  tone = await audioOf('sine=1000:r=48000')
})
afterAll(() => rm(folder, { recursive: true }))

/** A microphone that sends at these times, with a tone from the last second but one on. */
async function microphone(track: string, timesMs: readonly number[]): Promise<AudioMedia> {
  const file = path.join(folder, `${track}.units`)
  const payloads = timesMs.map((ms) => (ms < TONE_SEC * 1000 ? SILENCE : tone))
  await writeFile(file, Buffer.concat(payloads))
  let offset = 0
  const units = timesMs.map((timeMs, index) => {
    const size = payloads[index]?.length ?? 0
    const samples = (AUDIO_RATE * PACKET_MS) / 1000
    const unit = { offset, size, timeMs, atMs: timeMs, samples, level: 30 }
    offset += size
    return unit
  })
  return { track, file, units }
}

/** The second in which it becomes loud, and its length. */
async function heard(audioTracks: readonly AudioMedia[]) {
  const file = path.join(folder, 'voice.webm')
  const ends = [0, 0.4, 1].map((share) => share * LENGTH_SEC * AUDIO_RATE)
  const pieces = await Promise.all(
    ends.slice(1).map(async (to, index) => {
      const packets = path.join(folder, `${index}.packets`)
      const range = { from: ends[index] ?? 0, to, isLast: to === ends.at(-1), startMs: 0 }
      await writeVoicePackets(packets, audioTracks, range)
      return { file: packets, ...range }
    }),
  )
  await writeVoice(program, file, pieces)
  const bytes = await ffmpeg(`-i ${file} -ac 1 -ar ${RATE} -f s16le pipe:1`)
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
  const at = samples.findIndex((sample) => Math.abs(sample) > LOUD)
  return { loudFromSec: at / RATE, lengthSec: samples.length / RATE }
}

const everyMs = (ms: number, from = 0, to = LENGTH_SEC * 1000) =>
  Array.from({ length: Math.floor((to - from) / ms) }, (_, index) => from + index * ms)

test.each([
  ['is right', 1],
  ['is 180 ms too slow', 1.003],
  ['is 180 ms too fast', 0.997],
])('the sound of somebody whose clock %s is in its place', async (_, pace) => {
  const { loudFromSec, lengthSec } = await heard([
    await microphone('one', everyMs(PACKET_MS * pace)),
  ])
  expect(Math.abs(loudFromSec - TONE_SEC)).toBeLessThan(0.05)
  expect(Math.abs(lengthSec - LENGTH_SEC)).toBeLessThan(0.05)
})

test('so is that of somebody who sends nothing while silent, and connects again', async () => {
  const { loudFromSec, lengthSec } = await heard([
    await microphone('one', everyMs(PACKET_MS, 5_003, 7_000)),
    await microphone('two', [...everyMs(PACKET_MS, 6_900, 9_000), ...everyMs(PACKET_MS, 59_000)]),
  ])
  expect(Math.abs(loudFromSec - TONE_SEC)).toBeLessThan(0.05)
  expect(Math.abs(lengthSec - LENGTH_SEC)).toBeLessThan(0.05)
})
