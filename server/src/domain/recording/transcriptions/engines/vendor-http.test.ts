import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { engineOf } from '../../../../testing/played-transcriptions.ts'
import {
  type PlayedAnswer,
  type PlayedVendor,
  playVendor,
} from '../../../../testing/played-vendors.ts'
import { FIXTURES, HELLO } from '../../../../testing/vendor-answers.ts'
import { type Engine, EngineError, type Submission } from './engine.ts'
import { callVendor } from './vendor-http.ts'
import { problemOf } from './vendor-problem.ts'

let folder = ''
let vendor: PlayedVendor
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-vendor-'))
  await writeFile(path.join(folder, 'audio.flac'), Buffer.alloc(4 * 1024 * 1024))
  vendor = await playVendor(() => ({ status: 500 }))
})
afterAll(async () => {
  await vendor.close()
  await rm(folder, { recursive: true, force: true })
})
afterEach(() => vi.restoreAllMocks())

const order = (changes: Partial<Submission> = {}): Submission => ({
  path: path.join(folder, 'audio.flac'),
  durationSec: 2,
  reference: 'r',
  language: 'en-US',
  translate: false,
  signal: new AbortController().signal,
  ...changes,
})

function playing(fixture: (typeof FIXTURES)[number], usual: PlayedVendor['usual']): Engine {
  vendor.usual = usual
  const { engine_c: engine } = engineOf(fixture, vendor.url)
  if (engine === undefined) throw new RangeError(fixture.name)
  return engine
}

const NAMED = FIXTURES.map((fixture) => [fixture.name, fixture] as const)

/** Time limits of each call, in seconds. An hour of audio is uploaded within seven minutes. */
const LIMITS: Record<string, { hour: readonly number[]; poll: readonly number[] }> = {
  openai: { hour: [600 + 420 + 3600], poll: [] },
  deepgram: { hour: [660 + 420], poll: [] },
  speechmatics: { hour: [420], poll: [10, 60] },
  soniox: { hour: [420, 10], poll: [10, 60] },
  gladia: { hour: [420, 10], poll: [60] },
}

describe.each(NAMED)('%s', (name, fixture) => {
  test('limits the time of every call by the length of the upload', async () => {
    const engine = playing(fixture, fixture.hearing(HELLO))
    const limits = vi.spyOn(AbortSignal, 'timeout')
    const { signal, ...rest } = order({ durationSec: 3600 })
    const submitted = await engine.submit({ signal, ...rest })
    const asked = () => limits.mock.calls.splice(0).map(([ms]) => ms / 1000)
    expect(asked()).toEqual(LIMITS[name]?.hour)
    if (submitted.kind === 'accepted') await engine.poll?.({ ...rest, ...submitted, signal })
    expect(asked()).toEqual(LIMITS[name]?.poll)
  })

  test('ends a call when the service stops, with its reason', async () => {
    const stop = new AbortController()
    vendor.onSilence = () => stop.abort(new Error('stopping'))
    const engine = playing(fixture, () => ({ fate: 'silence' }))
    await expect(engine.submit(order({ signal: stop.signal }))).rejects.toThrow('stopping')
  })

  test.each([
    ['a refusal', { status: 401, body: '{"error":"the key a-key is wrong"}' }],
    ['a failure', { status: 500, body: 'a-key' }],
    ['a redirect', { status: 302, headers: { location: 'http://elsewhere.invalid/?a-key' } }],
    ['nonsense', { status: 200, body: 'a-key' }],
    ['another form', { status: 200, body: '{"key":"a-key"}' }],
    ['the end of the connection', { fate: 'reset' }],
  ] as const satisfies [string, PlayedAnswer][])(
    'logs no key, address or text of the vendor: %s',
    async (_what, played) => {
      const engine = playing(fixture, () => played)
      const error: unknown = await engine.submit(order()).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(EngineError)
      const lines: string[] = []
      pino({}, { write: (line) => lines.push(line) }).warn({ err: error }, 'transcription failed')
      const logged = lines.join('')
      for (const secret of ['a-key', vendor.url, 'elsewhere']) expect(logged).not.toContain(secret)
    },
  )
})

describe('a call', () => {
  const call = { headers: {}, read: () => null, timeoutMs: 10_000 }

  test('does not follow a redirect, so no other host receives the key', async () => {
    const elsewhere = await playVendor(() => ({ status: 200 }))
    vendor.usual = () => ({ status: 308, headers: { location: elsewhere.url } })
    const { signal } = new AbortController()
    await expect(callVendor({ ...call, url: vendor.url, signal })).rejects.toThrow(EngineError)
    expect(elsewhere.calls).toEqual([])
    await elsewhere.close()
  })

  test('answered by an HTML page has not reached the engine, and is retried', async () => {
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    vendor.usual = () => ({ status: 200, headers, body: '<h1>Back soon</h1>' })
    const { signal } = new AbortController()
    await expect(callVendor({ ...call, url: vendor.url, signal })).rejects.toMatchObject({
      problem: { isTransient: true, reason: 'vendor_unavailable' },
    })
  })
})

describe('the meaning of a status', () => {
  const AGAIN = { isTransient: true, reason: 'vendor_unavailable' }
  test.each([
    [408, AGAIN],
    [425, AGAIN],
    [500, AGAIN],
    [502, AGAIN],
    [504, AGAIN],
    [529, AGAIN],
    [429, { isTransient: true, reason: 'quota_exceeded' }],
    [402, { isTransient: false, reason: 'quota_exceeded' }],
    [413, { isTransient: false, reason: 'unsupported_audio' }],
    [415, { isTransient: false, reason: 'unsupported_audio' }],
    [400, { isTransient: false, reason: 'vendor_rejected' }],
    [404, { isTransient: false, reason: 'vendor_rejected' }],
    [422, { isTransient: false, reason: 'vendor_rejected' }],
    [423, { isTransient: false, reason: 'vendor_rejected' }],
  ])('%i', (status, problem) => {
    expect(problemOf({ status })).toMatchObject(problem)
  })

  test.each([
    ['30', 30],
    ['0', 0],
    ['soon', undefined],
    ['Sat, 01 Jan 2000 00:00:00 GMT', 0],
  ])('Retry-After: %s', (retryAfter, sec) => {
    expect(problemOf({ status: 503, retryAfter }).retryAfterSec).toBe(sec)
  })

  test('Retry-After may be a date', () => {
    const retryAfter = new Date(Date.now() + 120_000).toUTCString()
    const { retryAfterSec = 0 } = problemOf({ status: 503, retryAfter })
    expect(Math.abs(retryAfterSec - 120)).toBeLessThan(30)
  })
})
