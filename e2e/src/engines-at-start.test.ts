import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeDataDir, removeDataDir, type Service, startService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const KEY = 'a-key-that-nobody-may-read'
const MODEL = 'ggml-large-v3.bin'
let programs: string
let service: Service | undefined

beforeAll(() => {
  programs = mkdtempSync(path.join(tmpdir(), 'interview-room-programs-'))
  writeFileSync(path.join(programs, 'whisper-cli'), '#!/bin/sh\n', { mode: 0o755 })
})
afterAll(() => rmSync(programs, { recursive: true, force: true }))

/** Starts on a machine with a speech program and a model; returns its output and its log line. */
async function start(settings: Record<string, string>): Promise<{ said: string; logged: object }> {
  const dataDir = await makeDataDir()
  mkdirSync(path.join(dataDir, 'models'))
  writeFileSync(path.join(dataDir, 'models', MODEL), 'a model')
  const PATH = `${programs}${path.delimiter}${process.env['PATH'] ?? ''}`
  const started = await startService({ dataDir, env: { PATH, LOG_LEVEL: 'info', ...settings } })
  service = started
  const [, said = ''] = await waitFor(() => /^ +Transcription +(.+)$/m.exec(started.output()), {
    what: 'the engines are said',
  })
  const [logged = ''] = /^\{.*"transcription engines".*\}$/m.exec(started.output()) ?? []
  return { said, logged: JSON.parse(logged) as object }
}

afterEach(async () => {
  await service?.stop()
  if (service !== undefined) removeDataDir(service.dataDir)
})

test('the service logs at its start which engine each name has, without secrets', async () => {
  const { said, logged } = await start({
    TRANSCRIPTION_LOCAL_COMMAND: '["hear","--password","open-sesame","{audio}"]',
    TRANSCRIPTION_ENGINE_A: 'deepgram',
    TRANSCRIPTION_DEEPGRAM_KEY: KEY,
    TRANSCRIPTION_ENGINE_E: 'none',
  })
  expect(said).toBe(
    'engine_a = deepgram; engine_b, engine_c, engine_d = local; engine_e = none (by the settings)',
  )
  expect(logged).toMatchObject({
    engine_a: 'deepgram',
    engine_b: 'local',
    engine_c: 'local',
    engine_d: 'local',
    engine_e: 'none',
  })
  expect(service?.output()).not.toContain(KEY)
  expect(service?.output()).not.toContain('open-sesame')
})

test('without settings the service logs the local program that each name has', async () => {
  const { said, logged } = await start({})
  expect(said).toBe(
    'engine_a, engine_b, engine_c, engine_d, engine_e = local ' +
      `(found on this machine: whisper-cli with ${MODEL})`,
  )
  expect(logged).toMatchObject({ engine_a: 'local', engine_c: 'local' })
})
