import { TRANSCRIPTION_LANGUAGES } from '@interview-room/contract/limits.ts'
import { describe, expect, test } from 'vitest'
import { VENDOR_DEFAULTS, VENDORS } from '../../../../platform/config/vendors.ts'
import { usePlayedTranscriptions } from '../../../../testing/played-transcriptions.ts'
import { FIXTURES, HELLO } from '../../../../testing/vendor-answers.ts'
import type { Said } from '../../../../testing/vendors/vendor-fixture.ts'
import { VENDOR_ADAPTERS } from './bind-engines.ts'
import { ISO_CODES } from './languages.ts'

const { play, transcriptions } = usePlayedTranscriptions()

const settingsOf = (vendor: (typeof VENDORS)[number]) => ({
  ...VENDOR_DEFAULTS[vendor],
  apiKey: '',
})
const capabilitiesOf = (vendor: (typeof VENDORS)[number]) =>
  VENDOR_ADAPTERS[vendor].create(settingsOf(vendor)).capabilities

const ALL = [...TRANSCRIPTION_LANGUAGES]
const WITHOUT_ENGLISH = ALL.filter((language) => language !== 'en-US')

/** Capabilities from the vendors' documentation, which docs/transcription.md names. */
const DOCUMENTED = {
  openai: { translatesFrom: ALL, speakerLabels: false, audioMinutes: 25 },
  deepgram: { translatesFrom: [], speakerLabels: true, audioMinutes: 120 },
  gladia: { translatesFrom: WITHOUT_ENGLISH, speakerLabels: true, audioMinutes: 134 },
  soniox: { translatesFrom: ALL, speakerLabels: true, audioMinutes: 299 },
  speechmatics: {
    translatesFrom: WITHOUT_ENGLISH.filter((language) => language !== 'th-TH'),
    speakerLabels: true,
    audioMinutes: 120,
  },
} as const

describe('the capabilities of an engine', () => {
  test.each(VENDORS)('%s knows the languages of the contract, and lists its limits', (vendor) => {
    const { audioMinutes, ...rest } = DOCUMENTED[vendor]
    const capabilities = capabilitiesOf(vendor)
    expect(capabilities).toMatchObject({ languages: ALL, ...rest })
    expect(capabilities.audioMaxSec).toBe(audioMinutes * 60)
  })

  test('every language of the contract has a code of ISO 639-1', () => {
    expect(Object.keys(ISO_CODES)).toEqual(ALL)
  })
})

/** Each vendor's code for a language. */
const CODES: Record<string, Record<string, string>> = {
  openai: ISO_CODES,
  deepgram: { ...ISO_CODES, 'en-US': 'en-US', 'zh-CN': 'zh-CN', 'zh-TW': 'zh-TW' },
  gladia: ISO_CODES,
  soniox: ISO_CODES,
  speechmatics: { ...ISO_CODES, 'zh-CN': 'cmn', 'zh-TW': 'cmn' },
}

/** The place of the code in the request. */
const PLACES: Record<string, (code: string) => string> = {
  openai: (code) => `name="language"\r\n\r\n${code}\r\n`,
  deepgram: (code) => `language=${code}&`,
  gladia: (code) => `"languages":["${code}"]`,
  soniox: (code) => `"language_hints":["${code}"]`,
  speechmatics: (code) => `"language":"${code}"`,
}

describe.each(FIXTURES.map((vendor) => [vendor.name, vendor] as const))('%s', (name, vendor) => {
  test.each(ALL)('is asked for %s in its own words', async (language) => {
    const { server, run } = await play(vendor, { language })
    await run()
    const sent = server.calls.map(({ address, body }) => `${address}\n${body}`).join('\n')
    expect(sent).toContain(PLACES[name]?.(CODES[name]?.[language] ?? ''))
  })

  test('receives our key, which is sent nowhere else', async () => {
    const { server, run, read } = await play(vendor)
    await run()
    const reported = server.calls.map(({ headers }) => JSON.stringify(headers))
    expect(reported.every((headers) => headers.includes('a-key'))).toBe(true)
    expect(JSON.stringify(await read())).not.toContain('a-key')
  })
})

const IN_ENGLISH: Said = [
  ['Hello there.', 0.1, 0.9],
  ['Good morning.', 1, 1.6],
]
const TRANSLATING = FIXTURES.filter(({ translating }) => translating !== undefined)

describe('a translation', () => {
  test.each(TRANSLATING.map((vendor) => [vendor.name, vendor] as const))(
    'by %s is the speech in English, with the same times',
    async (_, vendor) => {
      const { server, run, result, reported } = await play(vendor, {
        language: 'ja-JP',
        translate: true,
      })
      server.usual = vendor.translating?.(IN_ENGLISH) ?? server.usual
      await run()
      expect(await reported()).toEqual([['done', null]])
      const text = await result()
      expect(text).toMatch(/^WEBVTT\n\n00:00:00\.100 --> /)
      expect(text?.replaceAll(/<[^>]*>|\n/g, ' ')).toMatch(/Hello there\..*Good morning\./)
      expect(text).not.toContain('こんに')
    },
  )

  test.each(TRANSLATING.map((vendor) => [vendor.name, vendor] as const))(
    'that %s does not answer ends as an error, result_invalid',
    async (name, vendor) => {
      const { server, run, reported } = await play(vendor, { language: 'ja-JP', translate: true })
      const usual = vendor.hearing(HELLO)
      server.usual = (call) => {
        if (name !== 'openai') return usual(call)
        return { status: 200, body: '{"language":"english","duration":2,"text":""}' }
      }
      await run()
      // Soniox keeps text that is already English, so this result is valid.
      const isKept = name === 'soniox'
      expect(await reported()).toEqual([isKept ? ['done', null] : ['error', 'result_invalid']])
    },
  )

  test.each([
    ['deepgram', 'ja-JP'],
    ['speechmatics', 'th-TH'],
    ['speechmatics', 'en-US'],
    ['gladia', 'en-US'],
  ] as const)(
    'that %s cannot make (%s) is refused before anything is sent',
    async (name, language) => {
      const vendor = FIXTURES.find((each) => each.name === name)
      if (vendor === undefined) throw new RangeError(name)
      const { server, run, reported } = await play(vendor, { language, translate: true })
      expect(await run()).toBeUndefined()
      expect(await reported()).toEqual([['request_error', 'translation_not_supported']])
      expect(server.calls).toEqual([])
    },
  )

  test('that speechmatics refuses during the job ends as translation_not_supported', async () => {
    const vendor = FIXTURES.find(({ name }) => name === 'speechmatics')
    if (vendor === undefined) throw new RangeError('speechmatics')
    const { server, run, reported } = await play(vendor, { language: 'ja-JP', translate: true })
    const usual = vendor.hearing(HELLO)
    const metadata = { translation_errors: [{ type: 'unsupported_translation_pair', message: '' }] }
    server.usual = (call) =>
      call.address.includes('/transcript')
        ? { status: 200, body: JSON.stringify({ metadata, results: [] }) }
        : usual(call)
    await run()
    expect(await reported()).toEqual([['error', 'translation_not_supported']])
  })
})

test('a language that an engine is not configured for is refused before anything is sent', async () => {
  const started = await transcriptions.start({ language: 'ko-KR' })
  const soniox = VENDOR_ADAPTERS.soniox.create({
    ...settingsOf('soniox'),
    url: 'http://127.0.0.1:9',
    languages: ['ja-JP'],
  })
  await transcriptions.run(started, { engine_c: soniox })
  expect(await transcriptions.webhooks(started)).toEqual([
    ['request_error', 'language_not_supported'],
  ])
})
