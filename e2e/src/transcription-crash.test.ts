import path from 'node:path'
import type { RecordingBody, TranscriptionBody } from '@interview-room/contract/recordings.ts'
import { type PlayedVendor, playVendor } from '@interview-room/server/src/testing/played-vendors.ts'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import { readCues } from '@interview-room/server/src/testing/vtt.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type JobVendor, startJobVendor } from './harness/job-vendor.ts'
import { filesBelow } from './harness/leftovers.ts'
import { openRecordedRoom, untilEnded, untilRecorded } from './harness/recorded.ts'
import { withServiceDb } from './harness/service-db.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { LATER_MS, untilSeen, waitFor } from './harness/wait.ts'

/** Rounds: ten in the long run. */
const CRASHES = Number(process.env['TRANSCRIPTION_CRASHES'] ?? 1)
const RUNS = Array.from({ length: CRASHES }, (_, index) => index + 1)
const SAID = 'Hello.'

let vendor: JobVendor
/** The default engine, whose account is empty. */
let refusing: PlayedVendor
let recording: RecordingBody

beforeAll(async () => {
  vendor = await startJobVendor(SAID)
  refusing = await playVendor(() => ({ status: 402 }))
})

afterAll(async () => {
  vendor?.close()
  await refusing?.close()
})

const env = useTestEnvironment({
  ownService: {
    env: () => ({
      TRANSCRIPTION_ENGINE_A: 'speechmatics',
      TRANSCRIPTION_SPEECHMATICS_URL: vendor.url,
      TRANSCRIPTION_SPEECHMATICS_KEY: 'of-nobody',
      TRANSCRIPTION_ENGINE_C: 'openai',
      TRANSCRIPTION_OPENAI_URL: refusing.url,
      TRANSCRIPTION_JOBS_MAX: '8',
      JOB_LEASE_SEC: '5',
    }),
  },
  hasBrowser: false,
  hasReceiver: true,
})

beforeAll(async () => {
  recording = await record()
})

/** Some seconds of somebody. Its own transcription ends immediately: that engine refuses. */
async function record(): Promise<RecordingBody> {
  const { roomId, moderator, panelist } = await openRecordedRoom(env)
  await moderator.post('/recording/start')
  await untilRecorded(moderator, 2)
  await env.tenant.close(roomId)
  const ended = await untilEnded(env.tenant, roomId)
  expect(ended?.status).toBe('available')
  await panelist.leave()
  return ended as RecordingBody
}

async function transcribe(
  language: string,
  order: object = { provider: 'engine_a' },
): Promise<TranscriptionBody> {
  const path = `/recordings/${recording.id}/transcriptions`
  const answer = await env.tenant.call('POST', path, { language, ...order })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { data: TranscriptionBody }).data
}

async function untilEndedAs({ id }: TranscriptionBody): Promise<TranscriptionBody> {
  return waitFor(
    async () => {
      const answer = await env.tenant.call('GET', `/transcriptions/${id}`)
      const { data } = (await answer.json()) as { data: TranscriptionBody }
      return /^(done|.*error)$/.test(data.status) && data
    },
    { what: 'the transcription has ended', timeoutMs: LATER_MS },
  )
}

async function killAndStart(): Promise<void> {
  await env.service.kill()
  vendor.trouble.clear()
  vendor.inTrouble.clear()
  await env.startAgain()
}

/** Checks for a good end: one job that is removed at the vendor, one result and one W6. */
async function expectOneOfEach(started: TranscriptionBody): Promise<void> {
  const ended = await untilEndedAs(started)
  expect(ended.status).toBe('done')
  const { cues, errors } = readCues(await (await fetch(String(ended.result_url))).text())
  expect(errors).toEqual([])
  expect(cues.map(({ text }) => text)).toEqual([`<v.panelist Pana>${SAID}</v>`])

  const jobs = vendor.jobs.filter(({ reference }) => reference.startsWith(started.id))
  expect(jobs).toHaveLength(1)
  await waitFor(() => jobs.every(({ isRemoved }) => isRemoved), {
    what: 'the job is removed at the vendor',
  })
  const delivered = await waitFor(() => deliveredFor(started).length > 0 && deliveredFor(started), {
    what: 'W6 reports it',
  })
  // It may come twice, under one id.
  expect(new Set(delivered.map(({ id }) => id)).size).toBe(1)
  expect(delivered[0]?.data).toMatchObject({ status: 'done', failure_reason: null })
}

const deliveredFor = ({ id }: TranscriptionBody) =>
  env.receiver.received.filter(
    ({ type, data }) => type === 'transcription.completed' && data['transcription_id'] === id,
  )

const filesIn = (folder: string) => filesBelow(path.join(env.service.dataDir, folder))
const results = () => filesIn('storage').filter((name) => name.endsWith('.vtt'))

async function untilMore(list: () => unknown[], what: string): Promise<void> {
  const before = list().length
  await untilSeen(() => list().length > before, what)
}

/** Killed while a result is being stored. */
async function killWhileStoring(): Promise<TranscriptionBody> {
  const storing = untilMore(results, 'a result is stored')
  const started = await transcribe('zh-CN')
  await storing
  await killAndStart()
  return started
}

/** Killed while sounds are taken, sent, waited for and fetched: one transcription at each step. */
async function killBeforeThat(): Promise<TranscriptionBody[]> {
  vendor.trouble.set('ja', 'before it takes the job')
  vendor.trouble.set('en', 'having taken the job')
  vendor.trouble.set('ko', 'never done')
  vendor.trouble.set('th', 'asked for the result')
  const started: TranscriptionBody[] = []
  for (const language of ['ja-JP', 'en-US', 'ko-KR', 'th-TH']) {
    started.push(await transcribe(language))
  }
  await waitFor(() => vendor.inTrouble.size === 4, {
    what: 'each is where it is to be killed',
  })
  const extracting = untilMore(() => filesIn('work'), 'a sound is taken')
  started.push(await transcribe('vi-VN'))
  await extracting
  await killAndStart()
  return started
}

/** Lets transcriptions of all rooms try the vendor when their engine fails. */
const nameOthers = (engines: string[]) =>
  withServiceDb(
    env.service.dataDir,
    (db) => db`update tenants set transcription_failover = ${engines}`,
  )

/** Killed as an engine refuses, and as the next one has taken the job. */
async function killBetweenEngines(): Promise<TranscriptionBody[]> {
  vendor.trouble.set('ko', 'having taken the job')
  const first = await transcribe('ko-KR', {})
  await waitFor(() => vendor.inTrouble.size === 1, { what: 'the next engine has the job' })
  await killAndStart()
  const calls = refusing.calls.length
  const second = await transcribe('th-TH', {})
  await untilSeen(() => refusing.calls.length > calls, 'the first engine refuses')
  await killAndStart()
  return [first, second]
}

describe.runIf(IS_FULL_RUN).each(RUNS)('kill -9 of the service, run %i', () => {
  test('between two engines: one job at the second one, one result, one W6 each', async () => {
    await nameOthers(['engine_a'])
    const started = await killBetweenEngines()
    for (const each of started) {
      await expectOneOfEach(each)
      const { attempts } = await untilEndedAs(each)
      expect(attempts.map(({ engine, failure_reason: reason }) => [engine, reason])).toEqual([
        ['engine_c', 'quota_exceeded'],
        ['engine_a', null],
      ])
    }
    await nameOthers([])
  })

  test('at each step of a transcription: one job, one result, one W6 each', async () => {
    const started = [await killWhileStoring(), ...(await killBeforeThat())]
    for (const each of started) await expectOneOfEach(each)
  })
})
