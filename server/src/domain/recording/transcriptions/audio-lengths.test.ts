import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { engineOf } from '../../../testing/played-transcriptions.ts'
import { playVendor } from '../../../testing/played-vendors.ts'
import { FIXTURES, HELLO } from '../../../testing/vendor-answers.ts'
import type { Engine } from './engines/engine.ts'
import { createLocalEngine } from './engines/local-command.ts'

/** Parts are cut in silences, so their lengths are not round. */
const LENGTH_SEC = 1000.000_123_4

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-lengths-'))
  await writeFile(path.join(folder, 'audio.flac'), 'sound')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const submit = async (engine: Engine | undefined) =>
  engine?.submit({
    path: path.join(folder, 'audio.flac'),
    durationSec: LENGTH_SEC,
    reference: 'r',
    language: 'en-US',
    translate: false,
    signal: new AbortController().signal,
  })

test.each(FIXTURES)('$name accepts an audio whose length is not round', async (vendor) => {
  const server = await playVendor(vendor.hearing(HELLO))
  try {
    const taken = await submit(engineOf(vendor, server.url).engine_c)
    expect(taken?.kind).toMatch(/^(done|accepted)$/)
  } finally {
    await server.close()
  }
})

test('the local command accepts an audio whose length is not round', async () => {
  const command = [process.execPath, '-e', '', '{audio}'] as const
  const engine = createLocalEngine({ command, languages: ['en-US'], withheld: new Set() })
  expect(await submit(engine)).toEqual({ kind: 'done', words: [] })
})
