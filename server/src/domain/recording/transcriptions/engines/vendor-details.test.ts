import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engineOf } from '../../../../testing/played-transcriptions.ts'
import { type PlayedVendor, playVendor } from '../../../../testing/played-vendors.ts'
import { HELLO } from '../../../../testing/vendor-answers.ts'
import { deepgram } from '../../../../testing/vendors/deepgram.ts'
import { gladia } from '../../../../testing/vendors/gladia.ts'
import { openai } from '../../../../testing/vendors/openai.ts'
import { soniox } from '../../../../testing/vendors/soniox.ts'
import { speechmatics } from '../../../../testing/vendors/speechmatics.ts'
import { JOB_ID, json, type VendorFixture } from '../../../../testing/vendors/vendor-fixture.ts'
import type { Engine, Submission } from './engine.ts'

let folder = ''
let vendor: PlayedVendor
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-details-'))
  await writeFile(path.join(folder, 'audio.flac'), 'sound')
  vendor = await playVendor(() => ({ status: 500 }))
})
afterAll(async () => {
  await vendor.close()
  await rm(folder, { recursive: true, force: true })
})

const { signal } = new AbortController()
const order = (): Submission => ({
  path: path.join(folder, 'audio.flac'),
  durationSec: 2,
  reference: 'our-reference',
  language: 'ja-JP',
  translate: false,
  signal,
})

function playing(fixture: VendorFixture, usual: PlayedVendor['usual']): Engine {
  vendor.usual = usual
  vendor.calls.length = 0
  const { engine_c: engine } = engineOf(fixture, vendor.url)
  if (engine === undefined) throw new RangeError(fixture.name)
  return engine
}

const called = () => vendor.calls.map(({ method, address }) => `${method} ${address}`)

const LINE = { start: 0.1, end: 0.9, text: 'こんにちは。' }
const WORD = { start: 0.1, end: 0.9, word: 'こんにちは' }

/** The words that the adapter reads from a transcript. */
async function textOf(engine: Engine, asked: { language: string; translate?: boolean }) {
  const polled = await engine.poll?.({ providerId: JOB_ID, translate: false, signal, ...asked })
  if (polled?.kind !== 'done') throw new TypeError('not done')
  return polled.words
}

test.each([
  ['rate_limit_exceeded', 'requests', true],
  ['insufficient_quota', 'insufficient_quota', false],
  ['project_spend_limit_exceeded', 'billing', false],
])(
  'that OpenAI refuses with 429 %s (%s) may pass without a change: %s',
  async (code, type, isTransient) => {
    const answer = json({ error: { message: 'no', type, param: null, code } }, 429)
    const engine = playing(openai, () => answer)
    await expect(engine.submit(order())).rejects.toMatchObject({
      problem: { isTransient, reason: 'quota_exceeded' },
    })
  },
)

test('Deepgram is asked to keep no audio', async () => {
  const engine = playing(deepgram, deepgram.hearing(HELLO))
  await engine.submit(order())
  const { searchParams } = new URL(vendor.calls[0]?.address ?? '', vendor.url)
  expect(searchParams.get('mip_opt_out')).toBe('true')
})

test.each([
  ['in lines, where a server returns no words', { segments: [LINE], words: null }, 'こんにちは。'],
  ['in words, where it returns no lines', { segments: null, words: [WORD] }, 'こんにちは'],
  [
    'in lines, which have the punctuation, where it returns both',
    { segments: [LINE], words: [WORD] },
    'こんにちは。',
  ],
])('the answer of a compatible server is read %s', async (_, answer, text) => {
  const engine = playing(openai, () => json({ task: 'transcribe', text, ...answer }))
  expect(await engine.submit(order())).toMatchObject({ kind: 'done', words: [{ text }] })
})

test('a compatible server that answers a text without times is not treated as silence', async () => {
  const lists = { segments: [], words: [] }
  const engine = playing(openai, () => json({ text: 'こんにちは', ...lists }))
  await expect(engine.submit(order())).rejects.toMatchObject({
    problem: { isTransient: false, reason: 'result_invalid' },
  })
  const silent = playing(openai, () => json({ text: ' ', ...lists }))
  expect(await silent.submit(order())).toEqual({ kind: 'done', words: [] })
})

test.each([
  [
    gladia,
    {
      items: [
        { id: 'x', custom_metadata: { reference: 7 } },
        { id: 'y', custom_metadata: null },
      ],
    },
  ],
  [
    speechmatics,
    {
      jobs: [
        { id: 'x', config: { tracking: { reference: 7 } } },
        { id: 'y', config: { tracking: null } },
      ],
    },
  ],
] as const)(
  'jobs of other users of the account are ignored, whatever their metadata',
  async (fixture, list) => {
    const engine = playing(fixture, () => json(list))
    expect(await engine.find?.('our-reference', signal)).toBeUndefined()
  },
)

describe('Soniox', () => {
  const usual = soniox.hearing(HELLO)

  test('gets no leftover file when it refuses to transcribe it', async () => {
    const engine = playing(soniox, (call) =>
      soniox.isSubmission(call) ? { status: 429 } : usual(call),
    )
    await expect(engine.submit(order())).rejects.toThrow('429')
    expect(called().map((call) => call.split(' ')[0])).toEqual(['POST', 'POST', 'DELETE'])
    expect(called()[2]).toMatch(/^DELETE \/v1\/files\/[\w-]+$/)
  })

  test('gets the transcription and its file deleted', async () => {
    const engine = playing(soniox, usual)
    await engine.cancel?.(JOB_ID, signal)
    expect(called()).toEqual([
      `GET /v1/transcriptions/${JOB_ID}`,
      `DELETE /v1/transcriptions/${JOB_ID}`,
      expect.stringMatching(/^DELETE \/v1\/files\/[\w-]+$/),
    ])
  })

  test('lists in pages, which are read until our job is found', async () => {
    const ours = { id: JOB_ID, client_reference_id: 'our-reference' }
    const engine = playing(soniox, ({ address }) =>
      address.includes('cursor=next%2F2')
        ? json({ transcriptions: [ours], next_page_cursor: null })
        : json({ transcriptions: [{ id: 'x' }], next_page_cursor: 'next/2' }),
    )
    expect(await engine.find?.('our-reference', signal)).toBe(JOB_ID)
    expect(vendor.calls.length).toBe(2)
  })

  test('with endless lists is not asked endlessly', async () => {
    const engine = playing(soniox, () => json({ transcriptions: [], next_page_cursor: 'again' }))
    expect(await engine.find?.('our-reference', signal)).toBeUndefined()
    expect(vendor.calls.length).toBe(20)
  })

  test('gets a file deleted whose sender died before ordering it', async () => {
    const files = [{ id: 'others' }, { id: 'file-1', client_reference_id: 'our-reference' }]
    const engine = playing(soniox, ({ method, address }) => {
      if (method === 'DELETE') return { status: 204 }
      return json(address.startsWith('/v1/files') ? { files } : { transcriptions: [] })
    })
    expect(await engine.find?.('our-reference', signal)).toBeUndefined()
    expect(called().at(-1)).toBe('DELETE /v1/files/file-1')
  })

  test('keeps English speech in a translation', async () => {
    const tokens = [
      { text: 'はい', start_ms: 100, end_ms: 400, translation_status: 'original' },
      { text: '。', start_ms: 400, end_ms: 500, translation_status: 'original' },
      { text: 'Ye', translation_status: 'translation' },
      { text: 's.', translation_status: 'translation' },
      { text: ' Okay', start_ms: 600, end_ms: 900, translation_status: 'none' },
    ]
    const engine = playing(soniox, (call) =>
      call.address.endsWith('/transcript') ? json({ tokens }) : usual(call),
    )
    expect(await textOf(engine, { language: 'ja-JP', translate: true })).toEqual([
      { text: 'Yes.', startSec: 0.1, endSec: 0.5, speaker: null, confidence: null },
      { text: ' Okay', startSec: 0.6, endSec: 0.9, speaker: null, confidence: null },
    ])
  })
})

describe('Gladia', () => {
  test('lists in pages, which are read until our job is found', async () => {
    const others = Array.from({ length: 100 }, (_, index) => ({ id: `job-${index}` }))
    const ours = { id: JOB_ID, custom_metadata: { reference: 'our-reference' } }
    const engine = playing(gladia, ({ address }) =>
      json({ items: address.endsWith('offset=100') ? [ours] : others }),
    )
    expect(await engine.find?.('our-reference', signal)).toBe(JOB_ID)
    expect(vendor.calls.length).toBe(2)
  })

  test.each([
    ['en-US', ['Hello', ' there.'], ' Hello there.'],
    ['en-US', ['Hello', 'there.'], ' Hello there.'],
    ['ja-JP', ['こん', 'にちは'], 'こんにちは'],
  ])('in %s joins the words %j as people write them', async (language, said, text) => {
    const words = said.map((word) => ({ word, start: 0.1, end: 0.5 }))
    const utterances = [{ start: 0.1, end: 0.5, text: said.join(''), words }]
    const engine = playing(gladia, () =>
      json({ status: 'done', result: { transcription: { utterances } } }),
    )
    const heard = await textOf(engine, { language })
    expect(heard.map((word) => word.text).join('')).toBe(text)
  })
})

const word = (content: string) => ({ type: 'word', alternatives: [{ content }] })
const mark = (content: string, attaches_to: string) => ({
  type: 'punctuation',
  attaches_to,
  alternatives: [{ content }],
})

describe('Speechmatics', () => {
  test.each([
    ['en-US', [word('Hi'), mark(',', 'previous'), word('you')], ' Hi, you'],
    ['en-US', [word('He'), mark('(', 'next'), word('she'), mark(')', 'previous')], ' He (she)'],
    ['en-US', [word('well'), mark('-', 'both'), word('known')], ' well-known'],
    ['ja-JP', [word('今日'), word('は'), mark('、', 'previous')], '今日は、'],
    ['en-US', [word('Yes'), { type: 'speaker_change' }, word('no')], ' Yes no'],
  ])('in %s attaches marks to words', async (language, parts, text) => {
    const results = parts.map((part) => ({ start_time: 0.1, end_time: 0.2, ...part }))
    const engine = playing(speechmatics, ({ address }) =>
      json(address.includes('/transcript') ? { results } : { job: { status: 'done' } }),
    )
    const heard = await textOf(engine, { language })
    expect(heard.map((each) => each.text).join('')).toBe(text)
  })

  test.each([
    ['zh-CN', 'cmn-Hans'],
    ['zh-TW', 'cmn-Hant'],
  ])('writes %s in its own characters (%s)', async (language, locale) => {
    const engine = playing(speechmatics, speechmatics.hearing(HELLO))
    await engine.submit({ ...order(), language })
    expect(vendor.calls[0]?.body).toContain(`"output_locale":"${locale}"`)
  })
})
