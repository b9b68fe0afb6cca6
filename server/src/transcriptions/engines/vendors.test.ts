import { afterEach, describe, expect, test } from 'vitest'
import { loadConfig } from '../../config.ts'
import { TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { type PlayedVendor, playVendor } from '../../testing/played-vendors.ts'
import { useTranscriptions } from '../../testing/transcriptions.ts'
import { VENDORS, type VendorFixture } from '../../testing/vendor-answers.ts'
import { bindEngines } from './bind-engines.ts'

const transcriptions = useTranscriptions()
const { plane } = transcriptions
let played: PlayedVendor | undefined

afterEach(() => played?.close())

/** The vendor on a local server, and a transcription that it is to make. */
async function play(vendor: VendorFixture) {
  played = await playVendor(vendor.done)
  const name = vendor.name.toUpperCase()
  const config = loadConfig({
    ...TEST_ENVIRONMENT,
    TRANSCRIPTION_ENGINE_C: vendor.name,
    [`TRANSCRIPTION_${name}_URL`]: played.url,
    [`TRANSCRIPTION_${name}_KEY`]: 'a-key',
  })
  const engines = bindEngines(config.transcription)
  const started = await transcriptions.start()
  return {
    played,
    started,
    run: () => transcriptions.run(started, engines),
    submissions: () => played?.calls.filter(vendor.isSubmission).length,
    status: async () => (await transcriptions.read(started)).status,
    told: () => transcriptions.webhooks(started),
    result: () => transcriptions.result(started),
  }
}

const waitOf = (ended: Awaited<ReturnType<typeof transcriptions.run>>) =>
  ended.outcome === 'again' ? (ended.at.getTime() - plane.now.getTime()) / 1000 : undefined

describe.each(VENDORS.map((vendor) => [vendor.name, vendor] as const))('%s', (_, vendor) => {
  test('that hears it is told as done once, with what was said', async () => {
    const { run, status, told, result, submissions } = await play(vendor)
    expect(await run()).toEqual({ outcome: 'done' })
    expect([await status(), submissions()]).toEqual(['done', 1])
    expect(await result()).toMatch(
      /^WEBVTT\n\n00:00:00\.100 --> 00:00:00\.900\n(<v Speaker 1>)?Hello there\.(<\/v>)?\n$/,
    )
    await run()
    expect(await told()).toEqual([['done', null]])
  })

  test.each([400, 401, 403, 422])(
    'that refuses with %i ends it as request_error, vendor_rejected, at once',
    async (code) => {
      const { played: server, run, status, told } = await play(vendor)
      server.usual = () => ({ status: code, body: '{"error":"no"}' })
      expect(await run()).toEqual({ outcome: 'done' })
      expect([await status(), server.calls.length]).toEqual(['request_error', 1])
      expect(await told()).toEqual([['request_error', 'vendor_rejected']])
    },
  )

  test('that answers 402 ends it as quota_exceeded, 415 as unsupported_audio', async () => {
    for (const [code, reason] of [
      [402, 'quota_exceeded'],
      [415, 'unsupported_audio'],
    ] as const) {
      const { played: server, run, told } = await play(vendor)
      server.usual = () => ({ status: code })
      await run()
      expect(await told()).toEqual([['request_error', reason]])
      await server.close()
    }
  })

  test.each([
    [503, 'vendor_unavailable'],
    [429, 'quota_exceeded'],
  ])('that answers %i is tried after 2, 10 and 60 s, then it ends as %s', async (code, reason) => {
    const { played: server, run, status, told } = await play(vendor)
    server.usual = () => ({ status: code })
    const waits = []
    for (let count = 0; count < 3; count++) waits.push(waitOf(await run()))
    expect([waits, await status()]).toEqual([[2, 10, 60], 'sending_request'])
    expect(await run()).toEqual({ outcome: 'done' })
    expect(await told()).toEqual([['request_error', reason]])
  })

  test('that asks by Retry-After to be left alone is left alone', async () => {
    const { played: server, run, status } = await play(vendor)
    server.next = [{ status: 429, headers: { 'retry-after': '77' } }]
    expect(waitOf(await run())).toBe(77)
    await run()
    expect(await status()).toBe('done')
  })

  test.each([
    ['no JSON', '<html>'],
    ['another form', '{"surprise":[]}'],
    ['more than anybody says', `"${'x'.repeat(51 * 1024 * 1024)}"`],
  ])('that answers %s ends it as an error, result_invalid', async (_name, body) => {
    const { played: server, run, result, told } = await play(vendor)
    server.usual = () => ({ status: 200, body })
    await run()
    expect(await told()).toEqual([['error', 'result_invalid']])
    expect(await result()).toBeUndefined()
  })
})

const withJobs = VENDORS.filter(({ pending }) => pending !== undefined)

describe.each(withJobs.map((vendor) => [vendor.name, vendor] as const))(
  'a long job at %s',
  (_, vendor) => {
    const pending = { status: 200, body: vendor.pending ?? '' }
    const isPoll = vendor.isPoll ?? (() => false)

    test('is asked for until it is done, and sent once', async () => {
      const { played: server, run, status, told, submissions, started } = await play(vendor)
      server.usual = (call) => (isPoll(call) ? pending : vendor.done(call))
      expect(waitOf(await run())).toBeGreaterThanOrEqual(15)
      expect(await transcriptions.read(started)).toMatchObject({
        status: 'processing',
        provider_transcription_id: 'job-1',
      })
      await run()
      server.usual = vendor.done
      await run()
      expect([await status(), submissions()]).toEqual(['done', 1])
      expect(await told()).toEqual([['done', null]])
    })

    test('that cannot be asked for is retrying, asked again, and not sent twice', async () => {
      const { played: server, run, status, told, submissions } = await play(vendor)
      server.usual = (call) => (isPoll(call) ? { status: 500 } : vendor.done(call))
      const waits = []
      for (let count = 0; count < 3; count++) waits.push(waitOf(await run()))
      expect([waits, await status()]).toEqual([[30, 120, 600], 'retrying'])
      server.usual = vendor.done
      await run()
      expect([await status(), submissions()]).toEqual(['done', 1])
      expect(await told()).toEqual([['done', null]])
    })

    test('that the vendor has lost is sent again three times, then it is an error', async () => {
      const { played: server, run, told, submissions } = await play(vendor)
      server.usual = (call) => (isPoll(call) ? { status: 404 } : vendor.done(call))
      for (let count = 0; count < 4; count++) await run()
      expect([await told(), submissions()]).toEqual([[['error', 'vendor_unavailable']], 4])
    })

    test('that was sent by a process that died then is found by our reference', async () => {
      const { played: server, run, submissions, started, status } = await play(vendor)
      server.usual = (call) => (isPoll(call) ? pending : vendor.done(call))
      await run()
      await plane.database.db`
        update transcription_parts set provider_id = null where transcription_id = ${started.id}
      `
      const reference = `${started.id}-0-1`
      const list = JSON.stringify({
        jobs: [{ id: 'job-1', config: { tracking: { reference } } }],
        transcriptions: [{ id: 'job-1', client_reference_id: reference }],
        items: [{ id: 'job-1', custom_metadata: { reference } }],
      })
      server.usual = (call) =>
        call.method === 'GET' && call.address.includes('?') && !call.address.includes('format=')
          ? { status: 200, body: list }
          : vendor.done(call)
      await run()
      expect([await status(), submissions()]).toEqual(['done', 1])
    })
  },
)
