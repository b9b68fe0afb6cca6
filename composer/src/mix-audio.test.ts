import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findFfmpeg } from './find-ffmpeg.ts'
import { mixAudio } from './mix-audio.ts'
import { AUDIO_RATE } from './opus.ts'
import type { AudioMedia } from './track-media.ts'

const PACKET_MS = 20
/** 20 ms of silence. */
const PACKET = Buffer.of(0xf8, 0xff, 0xfe)
const ENCODING = {
  width: 640,
  height: 480,
  frameRate: 15,
  videoKbps: 500,
  audioKbps: 64,
  keyFrameSec: 2,
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mix-audio-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A second of sound from then on. */
async function voiceFrom(sec: number): Promise<AudioMedia> {
  const count = 1000 / PACKET_MS
  const track = `TR_${sec}`
  const file = path.join(folder, `${track}.units`)
  await writeFile(file, Buffer.concat(Array.from({ length: count }, () => PACKET)))
  const units = Array.from({ length: count }, (_, i) => {
    const timeMs = sec * 1000 + i * PACKET_MS
    const samples = (AUDIO_RATE * PACKET_MS) / 1000
    return {
      offset: i * PACKET.length,
      size: PACKET.length,
      timeMs,
      atMs: timeMs,
      samples,
      level: 0,
    }
  })
  return { track, file, units }
}

/** Notes at its start how many of its kind are running. */
async function countingProgram(): Promise<string> {
  const program = path.join(folder, 'counting')
  const pids = path.join(folder, 'pids')
  await mkdir(pids)
  const lines = [
    '#!/bin/sh',
    `touch ${pids}/$$`,
    'count=0',
    `for pid in ${pids}/*; do kill -0 "$(basename "$pid")" 2>&- && count=$((count + 1)); done`,
    `echo $count >> ${folder}/counts`,
    `exec ${findFfmpeg(process.env)} "$@"`,
  ]
  await writeFile(program, lines.join('\n'))
  await chmod(program, 0o700)
  return program
}

test('only a few tracks of a person who comes and goes are decoded at a time', async () => {
  const visits = 12
  const audioTracks = await Promise.all(Array.from({ length: visits }, (_, i) => voiceFrom(i)))
  const range = { from: 0, to: visits * AUDIO_RATE, isLast: true }
  const program = await countingProgram()
  const file = path.join(folder, 'sound.aac')
  await mixAudio(
    { ...range, audioTracks, exhibits: [], startMs: 0 },
    { program, encoding: ENCODING, file },
  )
  const counts = (await readFile(path.join(folder, 'counts'), 'utf8')).trim().split('\n')
  // One of them encodes.
  expect(counts).toHaveLength(visits + 1)
  expect(Math.max(...counts.map(Number))).toBeLessThanOrEqual(4)
})
