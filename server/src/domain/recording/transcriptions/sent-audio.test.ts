import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { findFfmpeg } from '../../../platform/media-files/find-ffmpeg.ts'
import { zipFiles } from '../../../platform/media-files/zip-files.ts'
import { type StartedTranscription, useTranscriptions } from '../../../testing/transcriptions.ts'
import type { Engine } from './engines/engine.ts'
import type { Word } from './engines/word.ts'

const exec = promisify(execFile)
const { plane, start, run, read, source } = useTranscriptions()

/** Ten minutes, of which the moderator asks for 30 % and the panelist answers for 50 %. */
const LENGTH_SEC = 600
const TURN_SEC = 30
const PEOPLE = [
  { role: 'moderator', spoken: 'lt(mod(t,30),9)', fromSec: 0 },
  { role: 'panelist', spoken: 'between(mod(t,30),9,24)', fromSec: 9 },
]
/** With half a second around each turn. */
const SENT_SEC = (LENGTH_SEC / TURN_SEC) * (9 + 1 + 15 + 1) - 0.5
const RATE = 16_000

const fileOf = (role: string, extension: string) =>
  path.join(path.dirname(source()), `${role}.${extension}`)

beforeAll(async () => {
  const ffmpeg = await findFfmpeg(undefined)
  for (const { role, spoken } of PEOPLE) {
    const sound = `sine=f=440:r=48000:d=${LENGTH_SEC},volume=0:enable='not(${spoken})'`
    const made = ['-v', 'error', '-f', 'lavfi', '-i', sound]
    await exec(ffmpeg, [...made, '-c:a', 'libopus', '-b:a', '24k', fileOf(role, 'webm')])
    await exec(ffmpeg, [...made, '-c:a', 'aac', '-b:a', '64k', fileOf(role, 'mp4')])
  }
})

/** An engine that hears when somebody begins to speak. */
function listening() {
  const heardSec: number[] = []
  const engine: Engine = {
    name: 'listening',
    capabilities: {
      languages: ['en-US'],
      translatesFrom: [],
      audioMaxSec: 3600,
      audioMaxBytes: 1e9,
      speakerLabels: false,
      audioFormat: 'wav',
    },
    async submit({ path: file }) {
      const bytes = await readFile(file)
      const from = bytes.indexOf('data') + 8
      const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset + from))
      heardSec.push(samples.length / RATE)
      return { kind: 'done', words: beginningsIn(samples) }
    },
  }
  return { engines: { engine_c: engine }, heardSec }
}

function beginningsIn(samples: Int16Array): Word[] {
  const words: Word[] = []
  let loudAt = -RATE
  for (const [at, sample] of samples.entries()) {
    if (Math.abs(sample) < 1_000) continue
    const startSec = at / RATE
    if (at - loudAt > RATE / 2) {
      words.push({ text: ' turn', startSec, endSec: startSec + 0.5, speaker: null })
    }
    loudAt = at
  }
  return words
}

async function startComposed(): Promise<StartedTranscription> {
  const started = await start()
  for (const { role } of PEOPLE) {
    const key = `${plane.tenant.tenantId}/voices/${started.recordingId}-${role}.webm`
    await plane.storage.put(key, createReadStream(fileOf(role, 'webm')), { mime: 'audio/webm' })
    await plane.database.db`
      insert into recording_voices (recording_id, media_identity, storage_key)
      values (${started.recordingId}, ${role}, ${key})
    `
  }
  return started
}

async function startIndividual(): Promise<StartedTranscription> {
  const started = await start()
  const sizes = await Promise.all(PEOPLE.map(({ role }) => stat(fileOf(role, 'mp4'))))
  const files = PEOPLE.map(({ role }, index) => ({
    name: `${role}.mp4`,
    sizeBytes: sizes[index]?.size ?? 0,
    open: async () => createReadStream(fileOf(role, 'mp4')),
  }))
  const described = { participant_id: null, display_name: null, offset_sec: 0 }
  const manifest = {
    files: PEOPLE.map(({ role }) => ({ name: `${role}.mp4`, role, ...described })),
  }
  const key = `${plane.tenant.tenantId}/recordings/${started.recordingId}`
  const archive = zipFiles({ files, manifest, madeAt: plane.now })
  await plane.storage.put(key, archive, { mime: 'application/zip' })
  await plane.database.db`
    update recordings set output_mode = 'individual' where id = ${started.recordingId}
  `
  return started
}

// contract: Fields of a Transcription › `sent_sec`: the seconds that were sent, without silence
test.each([
  ['composed', startComposed],
  ['individual', startIndividual],
])(
  'of a %s recording only what somebody says is sent, and returns to its place',
  async (_, begin) => {
    const started = await begin()
    const { engines, heardSec } = listening()
    await run(started, engines)
    const sentSec = heardSec.reduce((sum, sec) => sum + sec, 0)
    expect(Math.abs(sentSec - SENT_SEC)).toBeLessThan(5)
    expect((await read(started)).sent_sec).toBeCloseTo(sentSec, 1)
    const { data } = await plane.tenant.get(`/transcriptions/${started.id}/words`)
    const said = Array.from({ length: LENGTH_SEC / TURN_SEC }, (_turn, turn) =>
      PEOPLE.map(({ fromSec }) => turn * TURN_SEC + fromSec),
    ).flat()
    const heard = data.words.map((word: { start_sec: number }) => Math.round(word.start_sec))
    expect(heard).toEqual(said)
  },
)
