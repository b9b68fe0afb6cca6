import { setTimeout as delay } from 'node:timers/promises'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { egressesOf } from './harness/egresses.ts'
import { injectFaults } from './harness/faults.ts'
import { recordingsOf, untilEnded } from './harness/recorded.ts'
import { type RecorderProcess, recorderOf } from './harness/recorder-process.ts'
import { freePort } from './harness/service.ts'
import { type TestEnvironment, useTestEnvironment } from './harness/test-environment.ts'
import { openVideo } from './harness/video.ts'
import { waitFor } from './harness/wait.ts'

type Command = 'pause' | 'stop'

/** A command that is given so long after a recording has been started, manually or automatically. */
interface Case {
  archiveMode: 'manual' | 'always'
  command: Command
  afterSec: number
}

const SAID_HZ = 2000
const QUIET_HZ = 3100
const RATE = 48_000
const LATE_MS = 4000
/** So many rooms at a time. */
const TOGETHER = 4
const LIMIT = { timeout: 900_000 }
/** Whole pictures of the file, and what the moments of a test are apart from those of the service. */
const LENGTH_SLACK_SEC = 0.3

const EVERY: Case[] = (['manual', 'always'] as const).flatMap((archiveMode) =>
  (['pause', 'stop'] as const).flatMap((command) =>
    [0.5, 2, 5].map((afterSec) => ({ archiveMode, command, afterSec })),
  ),
)
/** Each mode and each command once; the long run has all. */
const SOME: Case[] = [
  { archiveMode: 'manual', command: 'pause', afterSec: 2 },
  { archiveMode: 'always', command: 'stop', afterSec: 0.5 },
]
const TABLE = IS_FULL_RUN ? EVERY : SOME

const sentence = Int16Array.from(
  { length: RATE },
  (_, i) => 12_000 * Math.sin((2 * Math.PI * SAID_HZ * i) / RATE),
)

/** A service, and where its engine is asked if it is another than the embedded one. */
interface Stage {
  env: TestEnvironment
  engineUrl?: string
}

/** Records, gives the command, and says something that must not be in the file. */
async function give({ env, engineUrl }: Stage, { archiveMode, command, afterSec }: Case) {
  const room = { archive_mode: archiveMode }
  const { id: roomId } = await env.tenant.book({ room })
  const moderator = await env.enterByHand({ roomId, role: 'moderator', name: 'Mori' })
  const panelist = await env.connectByHand({ roomId, role: 'panelist', name: 'Pana' })
  await panelist.publish()
  if (archiveMode === 'manual') await moderator.post('/recording/start')
  await waitFor(async () => (await recordingsOf(env.tenant, roomId)).length === 1, {
    what: 'the recording is started',
    timeoutMs: 60_000,
  })
  await delay(afterSec * 1000)
  await moderator.post(`/recording/${command}`)
  const saidAt = Date.now()
  await panelist.say(sentence, RATE)
  // Whatever the engine was about to do, it has done.
  const areOver = async () => {
    const egresses = await egressesOf(env.service, roomId, engineUrl)
    return egresses.length > 0 && egresses.every(({ isOver }) => isOver)
  }
  await waitFor(areOver, { what: 'every egress is over', timeoutMs: 60_000 })
  const { recording } = await moderator.snapshot()
  expect(recording?.running_since ?? null).toBeNull()
  await env.tenant.close(roomId)
  const ended = await untilEnded(env.tenant, roomId)
  await panelist.leave()
  return { roomId, saidAt, ended }
}

/** Nothing after the command is in the file, and nothing has begun after it. */
async function holds(stage: Stage, given: Case): Promise<void> {
  const { env, engineUrl } = stage
  const { roomId, saidAt, ended } = await give(stage, given)
  const egresses = await egressesOf(env.service, roomId, engineUrl)
  expect(egresses.filter(({ requestedMs }) => requestedMs > saidAt)).toEqual([])
  if (ended?.status === 'failed') {
    // The command came before the engine had begun.
    expect(egresses.filter(({ beganMs }) => beganMs > 0 && beganMs < saidAt)).toEqual([])
    return
  }
  expect(ended?.status).toBe('available')
  const beganMs = Math.min(...egresses.map((each) => each.beganMs).filter((ms) => ms > 0))
  expect(ended?.duration_sec).toBeLessThan((saidAt - beganMs) / 1000 + LENGTH_SLACK_SEC)
  const answer = await env.tenant.call('GET', `/recordings/${ended?.id}/download-url`)
  const { data } = (await answer.json()) as { data: { url: string } }
  const video = await openVideo(Buffer.from(await (await fetch(data.url)).arrayBuffer()))
  const span = { fromSec: 0, toSec: video.durationSec }
  expect(video.loudnessOf(SAID_HZ, span)).toBeLessThan(2 * video.loudnessOf(QUIET_HZ, span) + 0.01)
  video.dispose()
}

/** In which cases it does not hold, each with the reason. */
async function violationsWith(stage: Stage): Promise<string[]> {
  const broken: string[] = []
  for (let first = 0; first < TABLE.length; first += TOGETHER) {
    const together = TABLE.slice(first, first + TOGETHER)
    const results = await Promise.allSettled(together.map((given) => holds(stage, given)))
    for (const [i, result] of results.entries()) {
      if (result.status === 'fulfilled') continue
      broken.push(`${JSON.stringify(together[i])}: ${String(result.reason)}`)
    }
  }
  return broken
}

// contract: pauseRecording, stopRecording › what is said or shown after the answer is not in the recording
describe('a pause or stop holds from its answer on', () => {
  const env = useTestEnvironment({ hasBrowser: false })

  test.runIf(IS_FULL_RUN)('with an engine that begins immediately', LIMIT, async () => {
    await injectFaults(env.service, {})
    expect(await violationsWith({ env })).toEqual([])
  })

  test('with an engine that begins seconds late, as LiveKit Egress does', LIMIT, async () => {
    const egress = { next: 'begin_late', delayMs: LATE_MS, count: 1000 }
    await injectFaults(env.service, { egress })
    expect(await violationsWith({ env })).toEqual([])
  })

  test.runIf(IS_FULL_RUN)('with an engine that does not answer at first', LIMIT, async () => {
    await injectFaults(env.service, { egress: { next: 'refuse_calls', count: 1000 } })
    expect(await violationsWith({ env })).toEqual([])
  })
})

describe.runIf(IS_FULL_RUN)('the same with the recorder', () => {
  let port = 0
  let recorder: RecorderProcess
  beforeAll(async () => {
    port = await freePort()
  })
  const env = useTestEnvironment({
    ownService: { env: () => ({ LIVEKIT_EGRESS_URL: `http://127.0.0.1:${port}` }) },
    hasBrowser: false,
  })
  beforeAll(async () => {
    recorder = recorderOf(env.service, port)
    await recorder.start()
  })
  afterAll(() => recorder?.lose())

  test('beside a LiveKit server', LIMIT, async () => {
    expect(await violationsWith({ env, engineUrl: `http://127.0.0.1:${port}` })).toEqual([])
  })
})
