import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Config, loadConfig } from '../platform/config/config.ts'
import { planLocalStart } from './local-environment.ts'
import { describeBindings } from './speech-program.ts'

const NAMES = 'engine_a, engine_b, engine_c, engine_d, engine_e'
let machine: string

beforeEach(() => {
  machine = mkdtempSync(path.join(tmpdir(), 'interview-room-machine-'))
  mkdirSync(path.join(machine, 'bin'))
})
afterEach(() => rmSync(machine, { recursive: true, force: true }))

function place(file: string, { mode = 0o644, bytes = 1 } = {}): string {
  const target = path.join(machine, file)
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, 'x'.repeat(bytes))
  chmodSync(target, mode)
  return target
}

const placeProgram = (name: string) => place(`bin/${name}`, { mode: 0o755 })
const placeModel = (name: string, bytes = 1) => place(`data/models/${name}`, { bytes })
const placeEnglish = () => place('share/pocketsphinx/model/en-us/cmudict-en-us.dict')

function start(settings: Record<string, string> = {}): {
  said: string
  transcription: Config['transcription']
} {
  const given = { PATH: path.join(machine, 'bin'), DATA_DIR: path.join(machine, 'data') }
  const { env, speech } = planLocalStart({ ...given, ...settings })
  const { transcription } = loadConfig(env)
  return { said: describeBindings(transcription.bindings, speech), transcription }
}

describe('a local start without settings of transcription', () => {
  test('binds nothing if no transcription program is found, and reports that', () => {
    const { said, transcription } = start()
    expect(transcription.local).toBeUndefined()
    expect(said).toBe('no engine is bound, nothing will be transcribed (docs/transcription.md)')
  })

  test('binds whisper.cpp and the largest of its models to every name', () => {
    const program = placeProgram('whisper-cli')
    placeModel('ggml-tiny.bin', 10)
    const model = placeModel('ggml-large-v3.bin', 30)
    placeModel('ggml-silero-v5.1.2.bin', 40)
    const { said, transcription } = start()
    expect(transcription.local?.command).toEqual([
      program,
      '-m',
      model,
      '-l',
      '{lang}',
      '-np',
      '-f',
      '{audio}',
    ])
    expect(transcription.local?.languages).toContain('ja-JP')
    expect(said).toBe(
      `${NAMES} = local (found on this machine: whisper-cli with ggml-large-v3.bin)`,
    )
  })

  test.each(['ggml-base.en.bin', 'ggml-base.en-q5_1.bin'])(
    'knows that %s understands English only',
    (name) => {
      placeProgram('whisper-cli')
      placeModel(name)
      expect(start().transcription.local?.languages).toEqual(['en-US'])
    },
  )

  test('binds pocketsphinx for English if whisper.cpp or its model is missing', () => {
    placeProgram('whisper-cli')
    placeModel('ggml-silero-v5.1.2.bin')
    const program = placeProgram('pocketsphinx_continuous')
    placeEnglish()
    const { said, transcription } = start()
    expect(transcription.local).toMatchObject({
      command: [program, '-infile', '{audio}', '-time', 'yes'],
      languages: ['en-US'],
    })
    expect(said).toBe(
      `${NAMES} = local (found on this machine: pocketsphinx_continuous, English only)`,
    )
  })

  test('binds no program that may not be run, and no pocketsphinx without its language', () => {
    place('bin/whisper-cli')
    placeModel('ggml-tiny.bin')
    placeProgram('pocketsphinx_continuous')
    expect(start().transcription.local).toBeUndefined()
  })
})

describe('a local start with settings of transcription looks for no program', () => {
  beforeEach(() => {
    placeProgram('pocketsphinx_continuous')
    placeEnglish()
  })

  test.each([
    [{ TRANSCRIPTION_ENGINE_A: 'none' }, /^no engine is bound/],
    [
      { TRANSCRIPTION_ENGINE_C: 'soniox', TRANSCRIPTION_SONIOX_KEY: 'k' },
      'engine_a, engine_b, engine_d, engine_e = none; engine_c = soniox (by the settings)',
    ],
    [
      { TRANSCRIPTION_LOCAL_COMMAND: '["hear","{audio}"]', TRANSCRIPTION_ENGINE_E: 'none' },
      'engine_a, engine_b, engine_c, engine_d = local; engine_e = none (by the settings)',
    ],
  ])('%j', (settings, said) => {
    const started = start(settings)
    expect(started.said).toMatch(said)
    expect(JSON.stringify(started.transcription)).not.toContain('pocketsphinx')
  })

  test('but for how many it works at side by side, which says nothing of engines', () => {
    const { transcription } = start({ TRANSCRIPTION_JOBS_MAX: '1' })
    expect(transcription).toMatchObject({ jobsMax: 1, bindings: { engine_a: 'local' } })
  })
})
