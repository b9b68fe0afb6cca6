import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { findFfmpeg } from '../../../platform/media-files/find-ffmpeg.ts'
import { counterWords, hearCounter, makeCounterVideo } from '../../../testing/spoken-counter.ts'
import { useTranscriptions } from '../../../testing/transcriptions.ts'
import type { Engine } from './engines/engine.ts'

const { plane, start, run, result, source } = useTranscriptions()
/** Six minutes. */
const COUNT = 480
const counter = () => path.join(path.dirname(source()), 'counter.mp4')

beforeAll(async () => {
  await makeCounterVideo(await findFfmpeg(undefined), { file: counter(), count: COUNT })
})

/** An engine that recognises the counter, in audios up to this length. */
function hearing(audioMaxSec: number) {
  const heardSec: number[] = []
  const engine: Engine = {
    name: 'counter',
    capabilities: {
      languages: ['en-US', 'ja-JP'],
      translatesFrom: [],
      audioMaxSec,
      audioMaxBytes: 1e9,
      speakerLabels: false,
      audioFormat: 'wav',
    },
    async submit({ path: file }) {
      const bytes = await readFile(file)
      const from = bytes.indexOf('data') + 8
      const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset + from))
      heardSec.push(samples.length / 16_000)
      return { kind: 'done', words: hearCounter(samples) }
    },
  }
  return { engines: { engine_c: engine }, heardSec }
}

test.each([31, 100])(
  'of a counter in parts of at most %i s contains each number once and in order',
  async (audioMaxSec) => {
    const started = await start()
    const key = `${plane.tenant.tenantId}/recordings/${started.recordingId}`
    await plane.storage.put(key, createReadStream(counter()), { mime: 'video/mp4' })
    const { engines, heardSec } = hearing(audioMaxSec)
    await run(started, engines)
    expect(heardSec.length).toBeGreaterThan(2)
    expect(Math.max(...heardSec)).toBeLessThanOrEqual(audioMaxSec + 0.01)
    const lines = (await result(started))?.match(/^\d[\d ]*$/gm) ?? []
    expect(lines.flatMap((line) => line.split(' '))).toEqual(counterWords(COUNT))
  },
)
