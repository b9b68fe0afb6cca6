import { setTimeout as delay } from 'node:timers/promises'
import {
  startTestS3,
  type TestS3,
} from '@interview-room/server/src/platform/storage/testing/s3-server.ts'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { egressesOf } from './harness/egresses.ts'
import { injectFaults } from './harness/faults.ts'
import { foreignLivekit } from './harness/foreign-livekit.ts'
import { embeddedServer, type MediaServer } from './harness/provider.ts'
import { recordingsOf, untilEnded } from './harness/recorded.ts'
import { type RecorderProcess, recorderOf } from './harness/recorder-process.ts'
import { freePort } from './harness/service.ts'
import { type TestEnvironment, useTestEnvironment } from './harness/test-environment.ts'
import { settingsOfS3 } from './harness/test-s3.ts'
import { openVideo } from './harness/video.ts'
import { waitFor } from './harness/wait.ts'

type Command = 'pause' | 'stop'

/** A command, and the time after the manual or automatic start of a recording at which it is given. */
interface Case {
  archiveMode: 'manual' | 'always'
  command: Command
  afterSec: number
}

const SAID_HZ = 2000
const QUIET_HZ = 3100
const RATE = 48_000
const LATE_MS = 4000
/** Rooms at the same time. */
const TOGETHER = 4
/** Rooms at the same time with LiveKit Egress, which starts a browser for each. */
const BROWSERS_TOGETHER = 2
const LIMIT = { timeout: 900_000 }
/** docs/livekit.md, "Times and durations": up to 1.2 s. */
const COMPOSITE_EARLY_SEC = 1.2
/** Whole frames of the file, and the difference between the test's clock and the service's. */
const LENGTH_SLACK_SEC = 0.3
/** One frame of a file at 15 per second. A shorter time makes no file. */
const PICTURE_MS = 1000 / 15

const EVERY: Case[] = (['manual', 'always'] as const).flatMap((archiveMode) =>
  (['pause', 'stop'] as const).flatMap((command) =>
    [0.5, 2, 5].map((afterSec) => ({ archiveMode, command, afterSec })),
  ),
)
/** Each mode and each command once. The long run has every combination. */
const SOME: Case[] = [
  { archiveMode: 'manual', command: 'pause', afterSec: 2 },
  { archiveMode: 'always', command: 'stop', afterSec: 0.5 },
]
/** A LiveKit server that the environment names. All cases run with its engines. */
const foreign = foreignLivekit()

const sentence = Int16Array.from(
  { length: RATE },
  (_, i) => 12_000 * Math.sin((2 * Math.PI * SAID_HZ * i) / RATE),
)

/** A service, and its engine. */
interface Stage {
  env: TestEnvironment
  engine: MediaServer
  /** The longest time by which a file of this engine begins before its reported start. */
  earlySec?: number
}

/** Records, gives the command, and then speaks something that must not be in the file. */
async function give({ env, engine }: Stage, { archiveMode, command, afterSec }: Case) {
  const room = { archive_mode: archiveMode }
  const { id: roomId } = await env.tenant.book({ room })
  const moderator = await env.enterByHand({ roomId, role: 'moderator', name: 'Mori' })
  const panelist = await env.connectByHand({ roomId, role: 'panelist', name: 'Pana' })
  await panelist.publish()
  if (archiveMode === 'manual') await moderator.post('/recording/start')
  await waitFor(async () => (await recordingsOf(env.tenant, roomId)).length === 1, {
    what: 'the recording is started',
  })
  await delay(afterSec * 1000)
  const givenAt = Date.now()
  await moderator.post(`/recording/${command}`)
  const saidAt = Date.now()
  await panelist.say(sentence, RATE)
  // By now the engine has done everything that it was about to do.
  const areOver = async () => {
    const egresses = await egressesOf(engine, roomId)
    return egresses.length > 0 && egresses.every(({ isOver }) => isOver)
  }
  await waitFor(areOver, { what: 'every egress is over' })
  const { recording } = await moderator.snapshot()
  expect(recording?.running_since ?? null).toBeNull()
  await env.tenant.close(roomId)
  const ended = await untilEnded(env.tenant, roomId)
  await panelist.leave()
  return { roomId, givenAt, saidAt, ended }
}

/** Checks that the file has nothing from after the command, and that nothing has started after it. */
async function holds(stage: Stage, given: Case): Promise<void> {
  const { env, engine, earlySec = 0 } = stage
  const { roomId, givenAt, saidAt, ended } = await give(stage, given)
  const egresses = await egressesOf(engine, roomId)
  const after = egresses.filter(({ requestedMs }) => requestedMs > saidAt)
  expect(after, `requested after ${saidAt}: ${JSON.stringify(after)}`).toEqual([])
  if (ended?.status === 'failed') {
    // The command came before the engine had started, so everything until the answer is left out.
    const latestMs = givenAt - PICTURE_MS
    const before = egresses.filter(({ beganMs }) => beganMs > 0 && beganMs < latestMs)
    const moments = `given ${givenAt}, answered ${saidAt}: ${JSON.stringify({ ended, egresses })}`
    expect(before, moments).toEqual([])
    return
  }
  expect(ended?.status).toBe('available')
  const beganMs = Math.min(...egresses.map((each) => each.beganMs).filter((ms) => ms > 0))
  expect(ended?.duration_sec).toBeLessThan((saidAt - beganMs) / 1000 + earlySec + LENGTH_SLACK_SEC)
  const answer = await env.tenant.call('GET', `/recordings/${ended?.id}/download-url`)
  const { data } = (await answer.json()) as { data: { url: string } }
  const video = await openVideo(Buffer.from(await (await fetch(data.url)).arrayBuffer()))
  const span = { fromSec: 0, toSec: video.durationSec }
  expect(video.loudnessOf(SAID_HZ, span)).toBeLessThan(2 * video.loudnessOf(QUIET_HZ, span) + 0.01)
  video.dispose()
}

/** The cases in which the rule is violated, each with the reason. */
async function violationsWith(
  stage: Stage,
  { table = IS_FULL_RUN ? EVERY : SOME, atOnce = TOGETHER } = {},
): Promise<string[]> {
  const broken: string[] = []
  for (let first = 0; first < table.length; first += atOnce) {
    const together = table.slice(first, first + atOnce)
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
  const stage = () => ({ env, engine: embeddedServer(env.service) })

  test.runIf(IS_FULL_RUN)('with an engine that begins immediately', LIMIT, async () => {
    await injectFaults(env.service, {})
    expect(await violationsWith(stage())).toEqual([])
  })

  test('with an engine that begins seconds late, as LiveKit Egress does', LIMIT, async () => {
    const egress = { next: 'begin_late', delayMs: LATE_MS, count: 1000 }
    await injectFaults(env.service, { egress })
    expect(await violationsWith(stage())).toEqual([])
  })

  test.runIf(IS_FULL_RUN)('with an engine that does not answer at first', LIMIT, async () => {
    await injectFaults(env.service, { egress: { next: 'refuse_calls', count: 1000 } })
    expect(await violationsWith(stage())).toEqual([])
  })
})

describe.runIf(IS_FULL_RUN || foreign !== undefined)('the same with the recorder', () => {
  let port = 0
  let recorder: RecorderProcess
  let url = ''
  beforeAll(async () => {
    port = await freePort()
    url = `http://127.0.0.1:${port}`
  })
  const env = useTestEnvironment({
    ownService: {
      env: () => ({ ...foreign?.settings, LIVEKIT_EGRESS_URL: url }),
      port: foreign?.port,
    },
    hasBrowser: false,
  })
  beforeAll(async () => {
    recorder = recorderOf(env.service, port, { server: foreign })
    await recorder.start()
  })
  afterAll(() => recorder?.lose())

  test('beside a LiveKit server', LIMIT, async () => {
    const engine = { ...(foreign ?? embeddedServer(env.service)), url }
    expect(await violationsWith({ env, engine }, { table: EVERY })).toEqual([])
  })
})

// RECORDING_FROM_CAPTURES is off for it: it composes in a browser while the room is live.
describe.runIf(foreign?.hasEgress === true)('the same with LiveKit Egress', () => {
  let s3: TestS3
  beforeAll(async () => {
    s3 = await startTestS3()
  })
  const env = useTestEnvironment({
    ownService: {
      env: () => ({ ...foreign?.settings, ...settingsOfS3(s3) }),
      port: foreign?.port,
    },
    hasBrowser: false,
  })
  afterAll(() => s3?.close())

  test('beside a LiveKit server', LIMIT, async () => {
    const stage = { env, engine: foreign as MediaServer, earlySec: COMPOSITE_EARLY_SEC }
    const given = { table: EVERY, atOnce: BROWSERS_TOGETHER }
    expect(await violationsWith(stage, given)).toEqual([])
  })
})
