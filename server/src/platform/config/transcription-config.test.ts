import { readFileSync } from 'node:fs'
import path from 'node:path'
import { TRANSCRIPTION_LANGUAGES } from '@interview-room/contract/limits.ts'
import { describe, expect, test } from 'vitest'
import {
  bindEngines,
  describeEngines,
} from '../../domain/recording/transcriptions/engines/bind-engines.ts'
import { TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { loadConfig } from './config.ts'
import { VENDOR_DEFAULTS, VENDORS } from './vendors.ts'

const COMMAND = '["whisper-cli","-f","{audio}"]'
const SHARED = { TRANSCRIPTION_LOCAL_COMMAND: COMMAND }

function bound(settings: Record<string, string>) {
  return describeEngines(
    bindEngines(loadConfig({ ...TEST_ENVIRONMENT, ...settings }).transcription),
  )
}

const NONE = {
  engine_a: 'none',
  engine_b: 'none',
  engine_c: 'none',
  engine_d: 'none',
  engine_e: 'none',
}

const languagesOf = (settings: Record<string, string>) =>
  loadConfig({ ...TEST_ENVIRONMENT, ...settings }).transcription.languages

describe('the languages that may be named', () => {
  test('are the seven of the contract', () => {
    expect(languagesOf({})).toEqual(TRANSCRIPTION_LANGUAGES)
  })

  test('may be fewer', () => {
    expect(languagesOf({ TRANSCRIPTION_LANGUAGES: 'ja-JP,en-US' })).toEqual(['ja-JP', 'en-US'])
  })

  test('hold the default of rooms', () => {
    expect(() => languagesOf({ TRANSCRIPTION_LANGUAGES: 'en-US' })).toThrow(
      'TRANSCRIPTION_LANGUAGES must hold ja-JP',
    )
  })
})

describe('the names of engines', () => {
  test('stand for nothing if nothing is set', () => {
    expect(bound({})).toEqual(NONE)
  })

  test('stand for the machine’s command if there is one, unless they say otherwise', () => {
    const settings = {
      ...SHARED,
      TRANSCRIPTION_ENGINE_A: 'deepgram',
      TRANSCRIPTION_DEEPGRAM_KEY: 'k',
      TRANSCRIPTION_ENGINE_E: 'none',
    }
    expect(bound(settings)).toEqual({
      engine_a: 'deepgram',
      engine_b: 'local',
      engine_c: 'local',
      engine_d: 'local',
      engine_e: 'none',
    })
  })

  test('stand for a command that gets none of the settings of the service', () => {
    const { local } = loadConfig({ ...TEST_ENVIRONMENT, ...SHARED }).transcription
    const secrets = ['DATABASE_URL', 'SECRETS_KEY', 'LIVEKIT_API_SECRET', 'METRICS_TOKEN']
    expect(secrets.filter((name) => local?.withheld.has(name) !== true)).toEqual([])
  })

  test('may stand for the same vendor, which is one engine then', () => {
    const { transcription } = loadConfig({
      ...TEST_ENVIRONMENT,
      TRANSCRIPTION_ENGINE_A: 'soniox',
      TRANSCRIPTION_ENGINE_B: 'soniox',
      TRANSCRIPTION_SONIOX_KEY: 'k',
    })
    const { engine_a, engine_b } = bindEngines(transcription)
    expect(engine_a).toBe(engine_b)
  })

  test.each(VENDORS)('may stand for %s', (vendor) => {
    const name = vendor.toUpperCase()
    const settings = { TRANSCRIPTION_ENGINE_D: vendor, [`TRANSCRIPTION_${name}_KEY`]: 'k' }
    expect(bound(settings)).toEqual({ ...NONE, engine_d: vendor })
  })
})

describe('settings of engines that cannot be are refused at the start', () => {
  test.each([
    [
      { TRANSCRIPTION_ENGINE_B: 'watson' },
      /TRANSCRIPTION_ENGINE_B must be one of none, local, openai/,
    ],
    [{ TRANSCRIPTION_ENGINE_B: 'local' }, /TRANSCRIPTION_LOCAL_COMMAND is required/],
    [{ TRANSCRIPTION_ENGINE_B: 'gladia' }, /TRANSCRIPTION_GLADIA_KEY is required/],
    [
      { TRANSCRIPTION_LOCAL_COMMAND: 'whisper-cli' },
      /TRANSCRIPTION_LOCAL_COMMAND must be a JSON array/,
    ],
    [{ TRANSCRIPTION_LOCAL_COMMAND: '["whisper-cli"]' }, /\{audio\} among them/],
    [
      { ...SHARED, TRANSCRIPTION_LOCAL_LANGUAGES: 'en' },
      /TRANSCRIPTION_LOCAL_LANGUAGES must be some of/,
    ],
    [{ TRANSCRIPTION_OPENAI_URL: 'localhost:8000' }, /TRANSCRIPTION_OPENAI_URL must be an address/],
    [{ TRANSCRIPTION_SONIOX_LANGUAGES: 'tlh' }, /TRANSCRIPTION_SONIOX_LANGUAGES must be some of/],
  ])('%j', (settings, problem) => {
    expect(() => loadConfig({ ...TEST_ENVIRONMENT, ...settings })).toThrow(problem)
  })

  test('a problem names the setting, and never its value', () => {
    const settings = { TRANSCRIPTION_ENGINE_B: 'gladia', TRANSCRIPTION_SONIOX_KEY: 'very-secret' }
    expect(() => loadConfig({ ...TEST_ENVIRONMENT, ...settings })).not.toThrow(/very-secret/)
  })
})

describe('a vendor', () => {
  test('is asked only for the languages that are set', () => {
    const { transcription } = loadConfig({
      ...TEST_ENVIRONMENT,
      TRANSCRIPTION_ENGINE_C: 'openai',
      TRANSCRIPTION_OPENAI_LANGUAGES: 'ja-JP, en-US',
    })
    const { engine_c: engine } = bindEngines(transcription)
    expect(engine?.capabilities.languages).toEqual(['ja-JP', 'en-US'])
  })

  test.each(VENDORS)('%s has its settings in .env.example, with their defaults', (vendor) => {
    const file = path.join(import.meta.dirname, '../../../../.env.example')
    const example = readFileSync(file, 'utf8')
    const { url, model, languages } = VENDOR_DEFAULTS[vendor]
    const shown = { URL: url, KEY: '', MODEL: model, LANGUAGES: languages.join(',') }
    for (const [what, value] of Object.entries(shown)) {
      const line = `#TRANSCRIPTION_${vendor.toUpperCase()}_${what}=${value}`
      expect(example.split('\n').map((each) => each.split(/\s+#/)[0])).toContain(line)
    }
  })
})
