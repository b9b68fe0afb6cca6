import { describe, expect, test } from 'vitest'
import { bindLiveEngines } from '../../domain/recording/live-text/engines/bind-live-engines.ts'
import { TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { loadConfig } from './config.ts'
import { LIVE_VENDOR_DEFAULTS, LIVE_VENDORS } from './live-text-config.ts'

const configOf = (settings: Record<string, string>) =>
  loadConfig({ ...TEST_ENVIRONMENT, ...settings }).liveText
const namesOf = (settings: Record<string, string>) =>
  bindLiveEngines(configOf(settings)).map(({ name }) => name)

const KEYS = Object.fromEntries(
  LIVE_VENDORS.map((vendor) => [`TRANSCRIPTION_${vendor.toUpperCase()}_KEY`, 'k']),
)

describe('the engines of live text', () => {
  test('are none if nothing is set', () => {
    expect(namesOf({})).toEqual([])
  })

  test('are in the order in which they are named', () => {
    const settings = {
      ...KEYS,
      LIVE_TEXT_ENGINES: 'speechmatics, local,soniox',
      LIVE_TEXT_LOCAL_COMMAND: '["hear","{lang}"]',
    }
    expect(namesOf(settings)).toEqual(['speechmatics', 'local', 'soniox'])
  })

  test.each(LIVE_VENDORS)('use the key and the languages of the transcriptions of %s', (vendor) => {
    const name = vendor.toUpperCase()
    const settings = {
      LIVE_TEXT_ENGINES: vendor,
      [`TRANSCRIPTION_${name}_KEY`]: 'a-key',
      [`TRANSCRIPTION_${name}_LANGUAGES`]: 'ja-JP',
    }
    expect(configOf(settings).vendors[vendor]).toEqual({
      ...LIVE_VENDOR_DEFAULTS[vendor],
      apiKey: 'a-key',
      languages: ['ja-JP'],
    })
    expect(namesOf(settings)).toEqual([vendor])
  })

  test('withhold the settings of the service from the local program', () => {
    const { local } = configOf({ LIVE_TEXT_LOCAL_COMMAND: '["hear"]' })
    const secrets = ['DATABASE_URL', 'SECRETS_KEY', 'TRANSCRIPTION_SONIOX_KEY']
    expect(secrets.filter((name) => local?.withheld.has(name) !== true)).toEqual([])
  })
})

test.each([
  [{ LIVE_TEXT_ENGINES: 'watson' }, /LIVE_TEXT_ENGINES must be some of local, soniox, deepgram/],
  [{ ...KEYS, LIVE_TEXT_ENGINES: 'soniox,soniox' }, /LIVE_TEXT_ENGINES must be some of/],
  [{ LIVE_TEXT_ENGINES: 'soniox' }, /TRANSCRIPTION_SONIOX_KEY is required/],
  [{ LIVE_TEXT_ENGINES: 'local' }, /LIVE_TEXT_LOCAL_COMMAND is required/],
  [{ LIVE_TEXT_LOCAL_COMMAND: 'hear {lang}' }, /LIVE_TEXT_LOCAL_COMMAND must be a JSON array/],
  [{ LIVE_TEXT_DEEPGRAM_URL: 'https://api.deepgram.com' }, /LIVE_TEXT_DEEPGRAM_URL must be an/],
])('settings that cannot be are refused at the start: %j', (settings, problem) => {
  expect(() => configOf(settings)).toThrow(problem)
})
