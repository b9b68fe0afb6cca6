import { describe, expect, test } from 'vitest'
import { jobRun } from '../testing/recordings.ts'
import { useTranscriptions } from '../testing/transcriptions.ts'
import { cancelAtEngineJob } from './cancel-at-engine.job.ts'
import { type Engine, EngineError, type Submission } from './engine.ts'
import type { Engines } from './engines/bind-engines.ts'
import { createLocalEngine } from './engines/local-command.ts'
import type { Word } from './word.ts'

const transcriptions = useTranscriptions()
const { plane, start, run, read, webhooks, result } = transcriptions
const HELLO: Word = { text: ' Hello.', startSec: 0.2, endSec: 0.8, speaker: null }

/** An engine in memory, that takes jobs and keeps them. */
function fakeEngine(changes: Partial<Engine> = {}) {
  const jobs = new Map<string, Submission>()
  const cancelled: string[] = []
  const engine: Engine = {
    name: 'fake',
    capabilities: {
      languages: ['ja-JP', 'en-US'],
      translatesFrom: [],
      audioMaxSec: 3600,
      audioMaxBytes: 1e9,
      speakerLabels: false,
      audioFormat: 'wav',
    },
    async submit(submission) {
      jobs.set(submission.reference, submission)
      return { kind: 'accepted', providerId: submission.reference }
    },
    poll: async () => ({ kind: 'done', words: [HELLO] }),
    find: async (reference) => (jobs.has(reference) ? reference : undefined),
    cancel: async (providerId) => void cancelled.push(providerId),
    ...changes,
  }
  return { engines: { engine_c: engine } satisfies Engines, jobs, cancelled }
}

/** Runs what is to be removed at engines. */
async function cancelLeft({ id }: { id: string }, engines: Engines): Promise<void> {
  const jobs = await plane.database.db<{ key: string; payload: Record<string, unknown> }[]>`
    delete from jobs where kind = 'cancel-at-engine' and starts_with(key, ${id})
    returning key, payload
  `
  for (const job of jobs) await cancelAtEngineJob(engines).run({ ...jobRun(plane), ...job })
}

const printing = (text: string) =>
  createLocalEngine({
    command: [process.execPath, '-e', `process.stdout.write(${JSON.stringify(text)})`, '{audio}'],
    languages: ['en-US'],
  })

describe('a transcription', () => {
  test('of an engine that is not configured ends as request_error, once', async () => {
    const started = await start()
    await run(started, {})
    await run(started, {})
    expect(await webhooks(started)).toEqual([['request_error', 'engine_not_configured']])
  })

  test.each([
    [{ language: 'ko-KR' }, 'language_not_supported'],
    [{ translate: true }, 'translation_not_supported'],
  ])(
    'with %j that the engine does not offer ends as %s, and nothing is sent',
    async (body, reason) => {
      const { engines, jobs } = fakeEngine()
      const started = await start(body)
      await run(started, engines)
      expect(await webhooks(started)).toEqual([['request_error', reason]])
      expect(jobs.size).toBe(0)
    },
  )

  test('whose recording is deleted is cancelled at the engine, and tells nothing', async () => {
    const { engines, cancelled } = fakeEngine({ poll: async () => ({ kind: 'pending' }) })
    const started = await start()
    await run(started, engines)
    expect((await plane.tenant.delete(`/recordings/${started.recordingId}`)).status).toBe(204)
    await cancelLeft(started, engines)
    expect(cancelled).toEqual([`${started.id}-0-1`])
    expect(await run(started, engines)).toEqual({ outcome: 'done' })
    expect(await webhooks(started)).toEqual([])
  })

  test('deleted while it is on its way is cancelled by the one who sent it', async () => {
    const { engines, cancelled } = fakeEngine({
      async submit({ reference }) {
        await plane.tenant.delete(`/recordings/${started.recordingId}`)
        return { kind: 'accepted', providerId: reference }
      },
    })
    const started = await start()
    expect(await run(started, engines)).toEqual({ outcome: 'done' })
    expect(cancelled).toEqual([`${started.id}-0-1`])
  })

  test('that two workers bring to its end at once ends once, with one file', async () => {
    const { engines } = fakeEngine()
    const started = await start()
    await Promise.allSettled([run(started, engines), run(started, engines)])
    await run(started, engines)
    expect(await webhooks(started)).toEqual([['done', null]])
    expect(await result(started)).toContain('Hello.')
  })

  test('of an engine that is silent for half an hour is cancelled there, and sent again', async () => {
    const { engines, jobs, cancelled } = fakeEngine({ poll: async () => ({ kind: 'pending' }) })
    const started = await start()
    await run(started, engines)
    const before = plane.now
    plane.now = new Date(before.getTime() + 31 * 60_000)
    await run(started, engines)
    await cancelLeft(started, engines)
    expect([(await read(started)).status, cancelled]).toEqual(['retrying', [`${started.id}-0-1`]])
    await run(started, engines)
    plane.now = before
    expect((await read(started)).status).toBe('processing')
    expect([...jobs.keys()]).toEqual([`${started.id}-0-1`, `${started.id}-0-2`])
  })

  test('is forgiven failures from which its engine recovers, however many these are', async () => {
    const { engines, jobs } = fakeEngine()
    let polls = 0
    engines.engine_c.poll = async () => {
      polls += 1
      if (polls === 12) return { kind: 'done', words: [HELLO] }
      if (polls % 4 === 0) return { kind: 'pending' }
      throw new EngineError('busy', { isTransient: true, reason: 'vendor_unavailable' })
    }
    const started = await start()
    for (let count = 0; count < 12; count += 1) await run(started, engines)
    expect([jobs.size, await webhooks(started)]).toEqual([1, [['done', null]]])
  })

  test('that is sent in parts is forgiven failures of each of them', async () => {
    const sent: string[] = []
    const { engines } = fakeEngine({
      async submit({ reference }) {
        sent.push(reference)
        if (sent.filter((each) => each === reference).length === 4) {
          return { kind: 'done', words: [HELLO] }
        }
        throw new EngineError('busy', { isTransient: true, reason: 'vendor_unavailable' })
      },
      find: async () => undefined,
    })
    engines.engine_c.capabilities.audioMaxSec = 1
    const started = await start()
    for (let count = 0; count < 4; count += 1) await run(started, engines)
    expect((await read(started)).status).toBe('retrying')
    for (let count = 0; count < 20; count += 1) await run(started, engines)
    expect(new Set(sent).size).toBeGreaterThan(2)
    expect(await webhooks(started)).toEqual([['done', null]])
  })

  test('whose job is lost again and again ends, also when the engine answers in between', async () => {
    const { engines, jobs } = fakeEngine()
    let polls = 0
    engines.engine_c.poll = async () => ({ kind: ++polls % 2 === 0 ? 'lost' : 'pending' })
    const started = await start()
    for (let count = 0; count < 12; count += 1) await run(started, engines)
    expect(await webhooks(started)).toEqual([['error', 'vendor_unavailable']])
    expect(jobs.size).toBe(4)
  })

  test('whose worker died while it was sent is not sent twice', async () => {
    const { engines, jobs } = fakeEngine()
    let count = 0
    engines.engine_c.submit = async (submission) => {
      count += 1
      jobs.set(submission.reference, submission)
      throw new EngineError('lost', { isTransient: true, reason: 'vendor_unavailable' })
    }
    const started = await start()
    await run(started, engines)
    await run(started, engines)
    expect([(await read(started)).status, count, jobs.size]).toEqual(['done', 1, 1])
  })

  test.each([
    ['times before zero', { ...HELLO, startSec: -1 }],
    ['times behind the end', { ...HELLO, startSec: 900, endSec: 901 }],
    ['an end before the start', { ...HELLO, startSec: 1, endSec: 0.5 }],
    ['no numbers', { ...HELLO, startSec: Number.NaN }],
  ])('of an engine that answers %s is an error, result_invalid', async (_, word) => {
    const { engines } = fakeEngine({ poll: async () => ({ kind: 'done', words: [word] }) })
    const started = await start()
    await run(started, engines)
    expect(await webhooks(started)).toEqual([['error', 'result_invalid']])
  })
})

describe('the local command', () => {
  test.each([
    ['WebVTT', 'WEBVTT\n\n00:00.200 --> 00:00.800\n<v Ann>Hello &amp; bye.\n'],
    ['SRT', '1\n00:00:00,200 --> 00:00:00,800\nHello & bye.\n'],
    [
      'words as JSON',
      '{"words":[{"word":"Hello","start":0.2,"end":0.4},{"word":"& bye.","start":0.4,"end":0.8}]}',
    ],
    [
      'the JSON of whisper.cpp',
      '{"transcription":[{"text":" Hello & bye.","offsets":{"from":200,"to":800}}]}',
    ],
    ['the lines of whisper.cpp', '[00:00:00.200 --> 00:00:00.800]   Hello & bye.\n'],
  ])('may print %s', async (_, output) => {
    const started = await start()
    await run(started, { engine_c: printing(output) })
    const text = (await result(started))?.replace(/<\/?v[^>]*>/g, '')
    expect(text).toBe('WEBVTT\n\n00:00:00.200 --> 00:00:00.800\nHello &amp; bye.\n')
  })

  test('that prints nothing has heard silence', async () => {
    const started = await start()
    await run(started, { engine_c: printing('') })
    expect(await result(started)).toBe('WEBVTT\n')
  })

  test('that prints something else ends as an error, result_invalid', async () => {
    const started = await start()
    await run(started, { engine_c: printing('Usage: whisper') })
    expect(await webhooks(started)).toEqual([['error', 'result_invalid']])
  })

  test.each([
    ['fails', [process.execPath, '-e', 'process.exit(3)', '{audio}']],
    ['is not there', ['/no/such/program', '{audio}']],
  ] as const)('that %s is tried again', async (_, command) => {
    const started = await start()
    const engine = createLocalEngine({ command, languages: ['en-US'] })
    expect(await run(started, { engine_c: engine })).toMatchObject({ outcome: 'again' })
    expect((await read(started)).status).toBe('sending_request')
  })
})
