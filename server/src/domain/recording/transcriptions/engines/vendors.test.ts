import { afterEach, describe, expect, test, vi } from 'vitest'
import { usePlayedTranscriptions } from '../../../../testing/played-transcriptions.ts'
import type { PlayedAnswer, PlayedVendor } from '../../../../testing/played-vendors.ts'
import { FIXTURES, HELLO } from '../../../../testing/vendor-answers.ts'

const { play } = usePlayedTranscriptions()
const NAMED = FIXTURES.map((vendor) => [vendor.name, vendor] as const)

afterEach(() => vi.restoreAllMocks())

interface Row {
  /** The answer to every call. */
  answers: PlayedAnswer | 'nothing, as it is not there'
  /** Pauses before the further attempts, in seconds. */
  waits: readonly number[]
  reported: readonly [status: string, reason: string]
}

const AGAIN = [2, 10, 60]
const status = (code: number, headers: Record<string, string> = {}): PlayedAnswer => ({
  status: code,
  headers,
  body: '{"error":"no"}',
})

/** The vendor's behaviour, the resulting attempts, and the report to the tenant. */
const BEHAVIOURS: Record<string, Row> = {
  '400': { answers: status(400), waits: [], reported: ['request_error', 'vendor_rejected'] },
  '401': { answers: status(401), waits: [], reported: ['request_error', 'vendor_rejected'] },
  '402': { answers: status(402), waits: [], reported: ['request_error', 'quota_exceeded'] },
  '403': { answers: status(403), waits: [], reported: ['request_error', 'vendor_rejected'] },
  '413': { answers: status(413), waits: [], reported: ['request_error', 'unsupported_audio'] },
  '415': { answers: status(415), waits: [], reported: ['request_error', 'unsupported_audio'] },
  '429': { answers: status(429), waits: AGAIN, reported: ['request_error', 'quota_exceeded'] },
  '429 with Retry-After: 77': {
    answers: status(429, { 'retry-after': '77' }),
    waits: [77, 77, 77],
    reported: ['request_error', 'quota_exceeded'],
  },
  '503': { answers: status(503), waits: AGAIN, reported: ['request_error', 'vendor_unavailable'] },
  'a redirect elsewhere': {
    answers: status(307, { location: 'https://elsewhere.invalid/' }),
    waits: AGAIN,
    reported: ['request_error', 'vendor_unavailable'],
  },
  'an end of the connection in the middle of the upload': {
    answers: { fate: 'reset' },
    waits: AGAIN,
    reported: ['request_error', 'vendor_unavailable'],
  },
  nothing: { answers: { fate: 'silence' }, waits: AGAIN, reported: ['request_error', 'timed_out'] },
  'no connection': {
    answers: 'nothing, as it is not there',
    waits: AGAIN,
    reported: ['request_error', 'vendor_unavailable'],
  },
  'no JSON': {
    answers: { status: 200, body: '<html>' },
    waits: AGAIN,
    reported: ['request_error', 'vendor_unavailable'],
  },
  'an empty body': {
    answers: { status: 200, body: '' },
    waits: AGAIN,
    reported: ['request_error', 'vendor_unavailable'],
  },
  'another form': {
    answers: { status: 200, body: '{"surprise":[]}' },
    waits: AGAIN,
    reported: ['request_error', 'vendor_unavailable'],
  },
  'more than anybody says, endlessly': {
    answers: { fate: 'endless' },
    waits: [],
    reported: ['error', 'result_invalid'],
  },
}

/** Ends time limits as soon as the vendor stays silent. Returns the limits, in ms. */
function hurryLimits(server: PlayedVendor): number[] {
  const asked: number[] = []
  let latest = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    asked.push(ms)
    latest = new AbortController()
    return latest.signal
  })
  server.onSilence = () => latest.abort(new DOMException('too long', 'TimeoutError'))
  return asked
}

const ANSWER_MAX = 50 * 1024 * 1024
/** Buffers of the sockets in between. */
const ON_ITS_WAY = 16 * 1024 * 1024

describe.each(NAMED)('%s', (_, vendor) => {
  test.each(Object.entries(BEHAVIOURS))('that answers with %s', async (_behaviour, row) => {
    const { server, run, reported, result } = await play(vendor)
    const limits = hurryLimits(server)
    const { answers, waits } = row
    const isThere = typeof answers !== 'string'
    if (isThere) server.usual = () => answers
    else await server.close()
    for (const wait of waits) expect(await run()).toBe(wait)
    expect(await run()).toBeUndefined()
    await run()
    expect(await reported()).toEqual([row.reported])
    expect(await result()).toBeUndefined()
    expect(server.calls.length).toBe(isThere ? waits.length + 1 : 0)
    expect(server.sentBytes).toBeLessThan(ANSWER_MAX + ON_ITS_WAY)
    expect(Math.max(...limits)).toBeLessThanOrEqual(15 * 60_000)
  })

  // contract: States of a Transcription › A result is WebVTT, published once
  test('sends W6 done once, with the transcript', async () => {
    const { run, reported, result, submissions } = await play(vendor)
    expect(await run()).toBeUndefined()
    expect(submissions()).toBe(1)
    expect(await result()).toMatch(
      /^WEBVTT\n\n00:00:00\.100 --> 00:00:00\.900\n(<v Speaker 1>)?Hello there\.(<\/v>)?\n$/,
    )
    await run()
    expect(await reported()).toEqual([['done', null]])
  })

  test('that hears no words reports silence', async () => {
    const { server, run, reported, result } = await play(vendor)
    server.usual = vendor.hearing([])
    await run()
    expect([await reported(), await result()]).toEqual([[['done', null]], 'WEBVTT\n'])
  })

  test('with words of another audio ends it as an error, result_invalid', async () => {
    const { server, run, reported, result } = await play(vendor)
    server.usual = vendor.hearing([['Hello', 900, 901]])
    await run()
    expect([await reported(), await result()]).toEqual([[['error', 'result_invalid']], undefined])
  })

  test('that was overloaded once is done when it answers again', async () => {
    const { server, run, reported } = await play(vendor)
    server.next = [status(429, { 'retry-after': '3' })]
    expect([await run(), await run()]).toEqual([3, undefined])
    expect(await reported()).toEqual([['done', null]])
  })

  // contract: States of a Transcription › An engine that refuses: request_error immediately
  test.each(vendor.refuses)('that refuses with its own text: $reason', async (refusal) => {
    const { server, run, reported } = await play(vendor)
    const usual = vendor.hearing(HELLO)
    server.usual = (call) => (vendor.isSubmission(call) ? refusal.answer : usual(call))
    expect(await run()).toBeUndefined()
    expect(await reported()).toEqual([['request_error', refusal.reason]])
  })
})
