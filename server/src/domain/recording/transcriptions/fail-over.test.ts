import type { TranscriptionBody } from '@interview-room/contract/recordings.ts'
import type { TranscriptionEngine } from '@interview-room/contract/vocabulary.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { setTranscriptionFailover } from '../../../platform/tenants/transcription-failover.ts'
import { addRecording, jobRun } from '../../../testing/recordings.ts'
import { booking } from '../../../testing/tenant-client.ts'
import { type StartedTranscription, useTranscriptions } from '../../../testing/transcriptions.ts'
import { cancelAtEngineJob } from './cancel-at-engine.job.ts'
import { type Engine, EngineError, type FailureReason } from './engines/engine.ts'

const transcriptions = useTranscriptions()
const { plane, start, run, read, webhooks, result } = transcriptions

const tenantTries = (...engines: TranscriptionEngine[]) =>
  setTranscriptionFailover(plane.database.db, { tenantId: plane.tenant.tenantId, engines })
afterEach(() => tenantTries())

/** An engine that accepts jobs, and that keeps what was sent and cancelled. */
function fakeEngine(said: string, changes: Partial<Engine> = {}) {
  const sent: string[] = []
  const cancelled: string[] = []
  const engine: Engine = {
    name: said,
    capabilities: {
      languages: ['ja-JP', 'en-US'],
      translatesFrom: [],
      audioMaxSec: 3600,
      audioMaxBytes: 1e9,
      speakerLabels: false,
      audioFormat: 'wav',
    },
    async submit({ reference }) {
      sent.push(reference)
      return { kind: 'accepted', providerId: `${said}:${reference}` }
    },
    poll: async () => ({
      kind: 'done',
      words: [{ text: ` ${said}`, startSec: 0.2, endSec: 0.8, speaker: null }],
    }),
    find: async (reference) => (sent.includes(reference) ? `${said}:${reference}` : undefined),
    cancel: async (providerId) => void cancelled.push(providerId),
    ...changes,
  }
  return { engine, sent, cancelled }
}

const failing = (reason: FailureReason, isTransient = false): Partial<Engine> => ({
  poll: async () => {
    throw new EngineError('it failed', { isTransient, reason })
  },
})

async function attemptsOf(started: StartedTranscription) {
  const { attempts } = (await read(started)) as TranscriptionBody
  return attempts.map(({ engine, failure_reason: reason }) => [engine, reason])
}

describe('a transcription whose engine fails', () => {
  // contract: Fields of a Transcription › `attempts`: `engine`, `started_at`, `ended_at`,
  //   `failure_reason`, in order
  test.each([
    'quota_exceeded',
    'vendor_rejected',
    'vendor_unavailable',
    'timed_out',
    'result_invalid',
  ] as const)('for good with %s is given to the next engine, and W6 comes once', async (reason) => {
    const [first, second] = [fakeEngine('first', failing(reason)), fakeEngine('second')]
    const engines = { engine_c: first.engine, engine_a: second.engine }
    await tenantTries('engine_a', 'engine_b')
    const started = await start()
    expect(await run(started, engines)).toEqual({ outcome: 'again', at: plane.now })
    expect(await webhooks(started)).toEqual([])
    expect(await read(started)).toMatchObject({
      status: 'retrying',
      provider: 'engine_a',
      provider_transcription_id: null,
    })
    await run(started, engines)
    await run(started, engines)
    expect([await webhooks(started), await result(started)]).toEqual([
      [['done', null]],
      expect.stringContaining('second'),
    ])
    expect(await attemptsOf(started)).toEqual([
      ['engine_c', reason],
      ['engine_a', null],
    ])
    expect([first.sent.length, second.sent.length]).toEqual([1, 1])
  })

  test('has every attempt with its times', async () => {
    const engines = { engine_a: fakeEngine('second').engine }
    await tenantTries('engine_a')
    const started = await start()
    await run(started, engines)
    const [, running] = (await read(started)).attempts
    expect(running).toMatchObject({ engine: 'engine_a', ended_at: null, failure_reason: null })
    await run(started, engines)
    const { attempts, created_at, updated_at } = await read(started)
    const [first, second] = attempts
    expect(first).toMatchObject({ started_at: created_at, failure_reason: 'engine_not_configured' })
    expect(second).toMatchObject({ started_at: first?.ended_at, ended_at: updated_at })
  })

  test('is deleted at the engine that failed, and not at the next one', async () => {
    const first = fakeEngine('first', failing('quota_exceeded'))
    const second = fakeEngine('second', { poll: async () => ({ kind: 'pending' }) })
    const engines = { engine_c: first.engine, engine_a: second.engine }
    await tenantTries('engine_a')
    const started = await start()
    await run(started, engines)
    await run(started, engines)
    const left = await plane.database.db<{ key: string; payload: Record<string, unknown> }[]>`
      delete from jobs where kind = 'cancel-at-engine' and starts_with(key, ${started.id})
      returning key, payload
    `
    for (const job of left) await cancelAtEngineJob(engines).run({ ...jobRun(plane), ...job })
    expect([first.cancelled, second.cancelled]).toEqual([[`first:${first.sent[0]}`], []])
    expect(second.sent).not.toEqual(first.sent)
  })

  test('for a moment only is retried there first', async () => {
    const first = fakeEngine('first', failing('vendor_unavailable', true))
    const engines = { engine_c: first.engine, engine_a: fakeEngine('second').engine }
    await tenantTries('engine_a')
    const started = await start()
    for (let count = 0; count < 3; count += 1) await run(started, engines)
    expect((await read(started)).provider).toBe('engine_c')
    await run(started, engines)
    expect((await read(started)).provider).toBe('engine_a')
    await run(started, engines)
    expect(await webhooks(started)).toEqual([['done', null]])
  })

  test('with the audio is given to no other engine', async () => {
    const second = fakeEngine('second')
    const engines = {
      engine_c: fakeEngine('first', failing('unsupported_audio')).engine,
      engine_a: second.engine,
    }
    await tenantTries('engine_a')
    const started = await start()
    expect(await run(started, engines)).toEqual({ outcome: 'done' })
    expect([await webhooks(started), second.sent]).toEqual([[['error', 'unsupported_audio']], []])
  })

  test('and whose other engines fail, too, ends with the reason of the last one, once', async () => {
    const engines = {
      engine_c: fakeEngine('first', failing('quota_exceeded')).engine,
      engine_b: fakeEngine('third', failing('timed_out')).engine,
    }
    await tenantTries('engine_a', 'engine_b')
    const started = await start()
    for (let count = 0; count < 4; count += 1) await run(started, engines)
    expect(await webhooks(started)).toEqual([['error', 'timed_out']])
    expect(await attemptsOf(started)).toEqual([
      ['engine_c', 'quota_exceeded'],
      ['engine_a', 'engine_not_configured'],
      ['engine_b', 'timed_out'],
    ])
  })

  test('by its language is sent to the first engine that knows it', async () => {
    const first = fakeEngine('first')
    first.engine.capabilities.languages = ['ja-JP']
    const engines = { engine_c: first.engine, engine_a: fakeEngine('second').engine }
    await tenantTries('engine_a')
    const started = await start({ language: 'en-US' })
    await run(started, engines)
    await run(started, engines)
    expect([first.sent, await webhooks(started)]).toEqual([[], [['done', null]]])
    expect((await attemptsOf(started))[0]).toEqual(['engine_c', 'language_not_supported'])
  })

  test('that was asked for by name is given to no other one', async () => {
    await tenantTries('engine_a')
    const started = await start({ provider: 'engine_c' })
    await run(started, { engine_a: fakeEngine('second').engine })
    expect(await webhooks(started)).toEqual([['request_error', 'engine_not_configured']])
  })

  test('and whose worker died while sending to the next one is not sent there twice', async () => {
    const second = fakeEngine('second')
    second.engine.submit = async ({ reference }) => {
      second.sent.push(reference)
      throw new EngineError('lost', { isTransient: true, reason: 'vendor_unavailable' })
    }
    const engines = { engine_a: second.engine }
    await tenantTries('engine_a')
    const started = await start()
    for (let count = 0; count < 3; count += 1) await run(started, engines)
    expect([second.sent.length, await webhooks(started)]).toEqual([1, [['done', null]]])
  })
})

const book = (transcription_failover: unknown) =>
  plane.tenant.post('/rooms', { ...booking({ now: plane.now }), transcription_failover })

async function startIn(transcription_failover: unknown): Promise<StartedTranscription> {
  const { data: room } = await book(transcription_failover)
  const recordingId = await addRecording(plane, room.id, { durationSec: 2 })
  const { data } = await plane.tenant.post(`/recordings/${recordingId}/transcriptions`)
  return { id: data.id, recordingId }
}

describe('the engines of a room', () => {
  test.each([
    ['come before those of the tenant', ['engine_b'], ['engine_c', 'engine_b']],
    ['may be none', [], ['engine_c']],
    ['are those of the tenant where it names none', null, ['engine_c', 'engine_a']],
  ])('%s', async (_says, booked, tried) => {
    await tenantTries('engine_a')
    const started = await startIn(booked)
    for (let count = 0; count < 3; count += 1) await run(started, {})
    expect((await attemptsOf(started)).map(([engine]) => engine)).toEqual(tried)
  })

  // contract: createRoom › `transcription_failover`: known engines, each once
  test.each([
    ['an unknown one', ['engine_x'], 'INVALID_ENUM'],
    ['one twice', ['engine_a', 'engine_a'], 'DUPLICATE'],
    ['the one that is tried first', ['engine_a', 'engine_c'], 'DUPLICATE'],
  ])('are refused with %s', async (_says, transcription_failover, code) => {
    const answer = await book(transcription_failover)
    expect(answer.status).toBe(400)
    expect(answer.details?.map(([, each]) => each)).toEqual([code])
  })
})
