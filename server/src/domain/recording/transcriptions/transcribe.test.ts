import { createReadStream } from 'node:fs'
import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { jobRun } from '../../../testing/recordings.ts'
import { useTranscriptions } from '../../../testing/transcriptions.ts'
import { makeVideo } from '../../../testing/videos.ts'
import { cancelAtEngineJob } from './cancel-at-engine.job.ts'
import type { Engines } from './engines/bind-engines.ts'
import { type Engine, EngineError, type Submission } from './engines/engine.ts'
import { createLocalEngine } from './engines/local-command.ts'
import type { Word } from './engines/word.ts'

const transcriptions = useTranscriptions()
const { plane, start, run, read, webhooks, result } = transcriptions
const HELLO: Word = { text: ' Hello.', startSec: 0.2, endSec: 0.8, speaker: null }

/** An engine in memory that accepts jobs and keeps them. */
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

/** Runs the pending cancellations at engines. */
async function cancelLeft({ id }: { id: string }, engines: Engines): Promise<void> {
  const jobs = await plane.database.db<{ key: string; payload: Record<string, unknown> }[]>`
    delete from jobs where kind = 'cancel-at-engine' and starts_with(key, ${id})
    returning key, payload
  `
  for (const job of jobs) await cancelAtEngineJob(engines).run({ ...jobRun(plane), ...job })
}

/** Changes the kind of the tenant, which is possible only in tests. */
async function switchTenant({ isSandbox }: { isSandbox: boolean }): Promise<void> {
  await plane.database.db`alter table tenants disable trigger tenants_sandbox_is_final`
  await plane.database.db`
    update tenants set is_sandbox = ${isSandbox} where id = ${plane.tenant.tenantId}
  `
  await plane.database.db`alter table tenants enable trigger tenants_sandbox_is_final`
}

/** A script that writes the file. */
const writing = (file: string) => `require('fs').writeFileSync(${JSON.stringify(file)}, '')`

const printing = (text: string) =>
  createLocalEngine({
    command: [process.execPath, '-e', `process.stdout.write(${JSON.stringify(text)})`, '{audio}'],
    languages: ['en-US'],
    withheld: new Set(),
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
    'with %j that the engine does not support ends as %s, and nothing is sent',
    async (body, reason) => {
      const { engines, jobs } = fakeEngine()
      const started = await start(body)
      await run(started, engines)
      expect(await webhooks(started)).toEqual([['request_error', reason]])
      expect(jobs.size).toBe(0)
    },
  )

  test('of a sandbox never calls the real engine, not even afterwards', async () => {
    const asked: string[] = []
    const { engines } = fakeEngine({
      find: async (reference) => void asked.push(reference),
      cancel: async (providerId) => void asked.push(providerId),
    })
    const started = await start()
    await switchTenant({ isSandbox: true })
    await run(started, engines)
    await switchTenant({ isSandbox: false })
    await cancelLeft(started, engines)
    expect([await webhooks(started), asked]).toEqual([[['done', null]], []])
  })

  // contract: States of a Transcription › Deleted with its recording, at the engine too
  test('is cancelled at the engine without a webhook when its recording is deleted', async () => {
    const { engines, cancelled } = fakeEngine({ poll: async () => ({ kind: 'pending' }) })
    const started = await start()
    await run(started, engines)
    expect((await plane.tenant.delete(`/recordings/${started.recordingId}`)).status).toBe(204)
    await cancelLeft(started, engines)
    expect(cancelled).toEqual([`${started.id}-0-1`])
    expect(await run(started, engines)).toEqual({ outcome: 'done' })
    expect(await webhooks(started)).toEqual([])
  })

  test('deleted while it is being sent is cancelled as soon as the engine allows it', async () => {
    const cancelled: string[] = []
    let mayBeCancelled = false
    const { engines } = fakeEngine({
      async submit({ reference }) {
        await plane.tenant.delete(`/recordings/${started.recordingId}`)
        // The cancellation from the delete does not find the job yet.
        await expect(cancelLeft(started, engines)).rejects.toThrow('does not have it yet')
        return { kind: 'accepted', providerId: reference }
      },
      find: async () => undefined,
      async cancel(providerId) {
        const problem = { isTransient: false, reason: 'vendor_rejected' } as const
        if (!mayBeCancelled) throw new EngineError('it works at it', problem)
        cancelled.push(providerId)
      },
    })
    const started = await start()
    expect(await run(started, engines)).toEqual({ outcome: 'done' })
    mayBeCancelled = true
    await cancelLeft(started, engines)
    expect(cancelled).toEqual([`${started.id}-0-1`])
  })

  test('that a killed worker may have sent is searched for again, and then left', async () => {
    const { engines, jobs, cancelled } = fakeEngine()
    const look = (attempt: number) => {
      const order = { key: 'sent-0-1', payload: { provider: 'engine_c', providerId: null } }
      return cancelAtEngineJob(engines).run({ ...jobRun(plane), ...order, attempt })
    }
    await expect(look(1)).rejects.toThrow('does not have it yet')
    expect(await look(4)).toEqual({ outcome: 'done' })
    jobs.set('sent-0-1', {} as Submission)
    expect(await look(2)).toEqual({ outcome: 'done' })
    expect(cancelled).toEqual(['sent-0-1'])
  })

  test('ends once, with one file, when two workers finish it at the same time', async () => {
    const { engines } = fakeEngine()
    const started = await start()
    await Promise.allSettled([run(started, engines), run(started, engines)])
    await run(started, engines)
    expect(await webhooks(started)).toEqual([['done', null]])
    expect(await result(started)).toContain('Hello.')
  })

  test('without progress for half an hour is cancelled at the engine, and sent again', async () => {
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

  test('survives any number of failures from which its engine recovers', async () => {
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

  test('in parts counts the failures of each part separately', async () => {
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

  test('whose job is lost repeatedly ends, even if the engine answers in between', async () => {
    const { engines, jobs } = fakeEngine()
    let polls = 0
    engines.engine_c.poll = async () => ({ kind: ++polls % 2 === 0 ? 'lost' : 'pending' })
    const started = await start()
    for (let count = 0; count < 12; count += 1) await run(started, engines)
    expect(await webhooks(started)).toEqual([['error', 'vendor_unavailable']])
    expect(jobs.size).toBe(4)
  })

  test('whose worker died while sending is not sent twice', async () => {
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

  test('of an engine that ends a word slightly before it begins places the word at its beginning', async () => {
    const garbled: Word = { ...HELLO, startSec: 1, endSec: 0.75 }
    const { engines } = fakeEngine({ poll: async () => ({ kind: 'done', words: [garbled] }) })
    const started = await start()
    await run(started, engines)
    expect(await webhooks(started)).toEqual([['done', null]])
    expect(await result(started)).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:01.001\nHello.\n')
  })

  test('of an engine that answers words of another audio is an error, result_invalid', async () => {
    const word = { ...HELLO, startSec: 900, endSec: 901 }
    const { engines } = fakeEngine({ poll: async () => ({ kind: 'done', words: [word] }) })
    const started = await start()
    await run(started, engines)
    expect(await webhooks(started)).toEqual([['error', 'result_invalid']])
  })
})

describe('the file of a recording', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'interview-room-files-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('without sound is done with an empty result, and no engine is called', async () => {
    const mute = path.join(folder, 'mute.mp4')
    await makeVideo(mute, { durationSec: 2, hasAudio: false })
    const { engines, jobs } = fakeEngine()
    const started = await start({}, mute)
    await run(started, engines)
    expect(await webhooks(started)).toEqual([['done', null]])
    expect([await result(started), jobs.size]).toEqual(['WEBVTT\n', 0])
  })

  test('that the storage returns with other bytes once is transcribed when it is read again', async () => {
    const broken = path.join(folder, 'other-bytes.mp4')
    await writeFile(broken, 'other bytes')
    const { engines } = fakeEngine()
    const started = await start({}, broken)
    await run(started, engines)
    expect((await read(started)).status).toBe('sending_request')
    const key = `${plane.tenant.tenantId}/recordings/${started.recordingId}`
    await plane.storage.put(key, createReadStream(transcriptions.source()), { mime: 'video/mp4' })
    await run(started, engines)
    expect((await read(started)).status).toBe('done')
  })

  test('that cannot be read ends it as request_error, unsupported_audio, once, after three more looks', async () => {
    const broken = path.join(folder, 'broken.mp4')
    await writeFile(broken, 'no video')
    const { engines, jobs } = fakeEngine()
    const started = await start({}, broken)
    for (let look = 0; look < 5; look += 1) await run(started, engines)
    expect(await webhooks(started)).toEqual([['request_error', 'unsupported_audio']])
    expect(jobs.size).toBe(0)
  })

  test('from which our own program cannot extract the sound four times ends as request_error, internal', async () => {
    const ffmpegPath = path.join(folder, 'ffmpeg')
    const encoders = ' V....D libx264 x\\n A....D aac x\\n'
    const script = `case "$*" in *-encoders*) printf '${encoders}';; *) exit 1;; esac`
    await writeFile(ffmpegPath, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const { engines, jobs } = fakeEngine()
    const started = await start()
    for (let count = 1; count <= 3; count += 1) {
      expect(await run(started, engines, { ffmpegPath })).toMatchObject({ outcome: 'again' })
    }
    expect(await run(started, engines, { ffmpegPath })).toEqual({ outcome: 'done' })
    expect(await webhooks(started)).toEqual([['request_error', 'internal']])
    expect(jobs.size).toBe(0)
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

  test('may print the words of pocketsphinx one by one', async () => {
    const heard =
      'hello by\n<s> 0.000 0.190 0.999400\nhello(2) 0.200 0.400 0.166775\n' +
      '<sil> 0.410 0.500 0.792528\nby 0.510 0.800 0.999700\n</s> 0.810 0.980 1.000000\n'
    const started = await start()
    await run(started, { engine_c: printing(heard) })
    expect(await result(started)).toBe('WEBVTT\n\n00:00:00.200 --> 00:00:00.800\nhello by\n')
  })

  test.each([
    ['nothing', ''],
    ['a sound that is not a word', '\n<s> 0.000 0.590 0.999700\n</s> 0.600 0.820 1.000000\n'],
  ])('that prints %s reports silence', async (_, output) => {
    const started = await start()
    await run(started, { engine_c: printing(output) })
    expect(await result(started)).toBe('WEBVTT\n')
  })

  test('that prints an unknown format ends as an error, result_invalid', async () => {
    const started = await start()
    await run(started, { engine_c: printing('Usage: whisper') })
    expect(await webhooks(started)).toEqual([['error', 'result_invalid']])
  })

  test.each([
    ['fails', [process.execPath, '-e', 'process.exit(3)', '{audio}']],
    ['is not there', ['/no/such/program', '{audio}']],
  ] as const)('that %s is retried', async (_, command) => {
    const started = await start()
    const engine = createLocalEngine({ command, languages: ['en-US'], withheld: new Set() })
    expect(await run(started, { engine_c: engine })).toMatchObject({ outcome: 'again' })
    expect((await read(started)).status).toBe('sending_request')
  })

  test('is stopped and its files are deleted when the recording is deleted', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'interview-room-local-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const [began, ended] = [path.join(folder, 'began'), path.join(folder, 'ended')]
    const script = `${writing(began)}; setTimeout(() => ${writing(ended)}, 5000)`
    const command = [process.execPath, '-e', script, '{audio}'] as const
    const engine = createLocalEngine({ command, languages: ['en-US'], withheld: new Set() })
    const workDir = path.join(folder, 'work')
    const started = await start()
    const running = run(started, { engine_c: engine }, { workDir })
    await vi.waitFor(() => access(began), { timeout: 30_000 })
    expect((await plane.tenant.delete(`/recordings/${started.recordingId}`)).status).toBe(204)
    expect(await running).toEqual({ outcome: 'done' })
    await expect(access(ended)).rejects.toThrow('ENOENT')
    expect(await readdir(workDir)).toEqual([])
    expect(await webhooks(started)).toEqual([])
  })
})
