import { setTimeout as delay } from 'node:timers/promises'
import { RECORDING_GAP_MIN_SEC } from '@interview-room/contract/limits.ts'
import type { RecordingCompletenessBody } from '@interview-room/contract/recording-reports.ts'
import { connectRtcClient } from '@interview-room/media-server/test/support/rtc-client.ts'
import {
  startTestS3,
  type TestS3,
} from '@interview-room/server/src/platform/storage/testing/s3-server.ts'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeVideo } from './harness/handout-video.ts'
import { imageOf, registerHandout } from './harness/handouts.ts'
import { untilEnded, untilRecorded } from './harness/recorded.ts'
import { type RecorderProcess, recorderOf } from './harness/recorder-process.ts'
import { freePort } from './harness/service.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { settingsOfS3 } from './harness/test-s3.ts'
import { openVideo, type Video } from './harness/video.ts'
import { waitFor } from './harness/wait.ts'

/** Length of the interview in minutes, including pauses. The long run takes ninety. */
const MINUTES = Number(process.env['LONG_RECORDING_MINUTES'] ?? 0.2)
const LENGTH_SEC = MINUTES * 60
const OUTAGE_SEC = Math.min(60, LENGTH_SEC / 5)
const PAUSE_SEC = Math.min(20, LENGTH_SEC / 20)
const SHOWN_SEC = Math.min(120, Math.max(1.5, LENGTH_SEC / 12))
/** The most that a fault may cost. */
const LOSS_MAX_SEC = 10
/** Tolerance at each beginning and end, for the timing of a test and of its listening windows. */
const EDGE_SEC = 1
const TIMEOUT_MS = LENGTH_SEC * 3000 + 300_000

const RATE = 16_000
const FRAME_SAMPLES = RATE / 100
/** Each tone lasts one second of the interview, in a fixed cycle: a gap or a repetition breaks the order. */
const TONES = Array.from({ length: 16 }, (_, i) => 900 + i * 150)
const WINDOW_SEC = 0.25
const MAGENTA = { r: 255, g: 0, b: 255 }
const ORANGE = { r: 255, g: 128, b: 0 }
const CYAN = { r: 0, g: 255, b: 255 }
const ON_STAGE = { x: 0.35, y: 0.4 }
const FRAME_SEC = 1 / 15

let s3: TestS3
let recorder: RecorderProcess
let port = 0

beforeAll(async () => {
  s3 = await startTestS3()
  port = await freePort()
})

const env = useTestEnvironment({
  ownService: {
    env: () => ({ ...settingsOfS3(s3), LIVEKIT_EGRESS_URL: `http://127.0.0.1:${port}` }),
  },
  hasBrowser: false,
})

beforeAll(async () => {
  recorder = recorderOf(env.service, port)
  await recorder.start()
})
afterAll(async () => {
  await recorder?.lose()
  await s3?.close()
})

function* clockOfTones(): Generator<Int16Array> {
  for (let sample = 0; ; sample += FRAME_SAMPLES) {
    const toneHz = TONES[Math.floor(sample / RATE) % TONES.length] ?? 0
    yield Int16Array.from({ length: FRAME_SAMPLES }, (_, i) => {
      return 9000 * Math.sin((2 * Math.PI * toneHz * (sample + i)) / RATE)
    })
  }
}

async function enterBoth(roomId: string) {
  const moderator = await env.enterByHand({ roomId, role: 'moderator', name: 'Mori' })
  const panelist = await env.connectByHand({ roomId, role: 'panelist', name: 'Pana' })
  await panelist.publishCamera()
  await panelist.play(clockOfTones(), RATE)
  const { url, token } = moderator.media
  const media = await connectRtcClient(url, token)
  await media.publishCamera()
  return { moderator, panelist, media }
}

/** Bounds of the time for which something was shown, as far as the person who shows it can know; in seconds. */
interface Shown {
  atLeastSec: number
  atMostSec: number
}

/** Shows something for a while, and measures the bounds, however slowly it begins and ends. */
async function measured(
  begin: () => Promise<unknown>,
  end: () => Promise<unknown>,
): Promise<Shown> {
  const before = performance.now()
  await begin()
  const from = performance.now()
  await delay(SHOWN_SEC * 1000)
  const to = performance.now()
  await end()
  return { atLeastSec: (to - from) / 1000, atMostSec: (performance.now() - before) / 1000 }
}

/**
 * The course of the interview, as shares of its length. Returns the expected length of the recording, and how long each picture was
 * shown.
 */
async function interview(roomId: string, handouts: readonly string[]) {
  const { moderator, panelist, media } = await enterBoth(roomId)
  await moderator.post('/recording/start')
  await untilRecorded(moderator, 0)
  const began = Date.now()
  let pausedMs = 0
  const at = (share: number) => delay(Math.max(0, began + share * LENGTH_SEC * 1000 - Date.now()))
  const show = async (handout = '') =>
    measured(
      () => moderator.post(`/handouts/${handout}/show`),
      () => moderator.post(`/handouts/${handout}/hide`),
    )
  const pause = async () => {
    const from = Date.now()
    await moderator.post('/recording/pause').catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await historyOf(roomId)}`, { cause: error })
    })
    await delay(PAUSE_SEC * 1000)
    await moderator.post('/recording/resume')
    pausedMs += Date.now() - from
  }
  await at(0.05)
  const first = await show(handouts[0])
  await at(0.2)
  await pause()
  await at(0.3)
  await show(handouts[1])
  await at(0.42)
  let endScreen: (() => Promise<void>) | undefined
  const screen = await measured(
    async () => {
      endScreen = await media.shareScreen(CYAN)
      // A busy machine sends its first picture late.
      await waitFor(() => panelist.screenFrames > 0, { what: 'the screen is seen' })
    },
    async () => endScreen?.(),
  )
  await at(0.55)
  await pause()
  await at(0.62)
  s3.fault = () => ({ status: 503, code: 'SlowDown' })
  await delay(OUTAGE_SEC * 1000)
  s3.fault = undefined
  await at(0.83)
  const second = await show(handouts[2])
  await at(0.92)
  await pause()
  await at(0.95)
  await recorder.kill()
  // A shorter gap is not listed.
  await delay(RECORDING_GAP_MIN_SEC * 1000)
  await recorder.start()
  await at(1.1)
  await moderator.post('/recording/stop')
  const recordedMs = Date.now() - began - pausedMs
  await panelist.leave()
  await media.leave()
  const shown = [
    { what: 'the first handout', colour: MAGENTA, ...first },
    { what: 'the screen', colour: CYAN, ...screen },
    { what: 'the second handout', colour: ORANGE, ...second },
  ]
  return { expectedSec: recordedMs / 1000, shown }
}

/** The recordings and entry histories of the room, which explain a missing recording. */
async function historyOf(roomId: string): Promise<string> {
  const paths = ['recordings', 'entry-histories'].map((list) => `/rooms/${roomId}/${list}`)
  const answers = await Promise.all(paths.map((path) => env.tenant.call('GET', path)))
  return (await Promise.all(answers.map((answer) => answer.text()))).join('\n')
}

interface HeardTone {
  tone: number
  fromSec: number
  sec: number
}

/** The audible tones in order, each with its position and length in seconds. */
function heardTones(video: Video): HeardTone[] {
  const heard: HeardTone[] = []
  for (let fromSec = 0; fromSec + WINDOW_SEC <= video.durationSec; fromSec += WINDOW_SEC) {
    const span = { fromSec, toSec: fromSec + WINDOW_SEC }
    if (video.volume(span) < 0.01) continue
    const levels = TONES.map((toneHz) => video.loudnessOf(toneHz, span))
    const tone = levels.indexOf(Math.max(...levels))
    const last = heard.at(-1)
    if (last?.tone === tone) last.sec += WINDOW_SEC
    else heard.push({ tone, fromSec, sec: WINDOW_SEC })
  }
  return heard
}

async function completenessOf(recordingId: string): Promise<RecordingCompletenessBody> {
  const answer = await env.tenant.call('GET', `/recordings/${recordingId}/completeness`)
  const { data } = (await answer.json()) as { data: RecordingCompletenessBody }
  return data
}

/** The time that a busy machine missed by starting late after pauses. */
function lateSec({ people }: RecordingCompletenessBody): number {
  const late = (people[0]?.gaps ?? []).filter(({ reason }) => reason === 'late_start')
  return late.reduce((sum, { duration_sec: durationSec }) => sum + durationSec, 0)
}

const isNear = (one: typeof CYAN, other: typeof CYAN) =>
  Math.abs(one.r - other.r) + Math.abs(one.g - other.g) + Math.abs(one.b - other.b) < 150

test.runIf(IS_FULL_RUN)(
  'an interview with pauses, handouts, a screen, a lost storage and a killed recorder is complete',
  { timeout: TIMEOUT_MS },
  async () => {
    const room = await env.tenant.book({ minutes: Math.max(60, Math.ceil(2 * MINUTES)) })
    const handouts = [
      await registerHandout(env.service, room, {
        kind: 'image',
        name: 'first.bmp',
        content: imageOf(MAGENTA),
      }),
      await registerHandout(env.service, room, {
        kind: 'video',
        name: 'film.mp4',
        content: makeVideo(Math.ceil(SHOWN_SEC)),
      }),
      await registerHandout(env.service, room, {
        kind: 'image',
        name: 'second.bmp',
        content: imageOf(ORANGE),
      }),
    ]
    const { expectedSec, shown } = await interview(room.id, handouts)
    await env.tenant.close(room.id)
    const recording = await untilEnded(env.tenant, room.id, { timeoutMs: TIMEOUT_MS })
    expect(recording?.status).toBe('available')
    const completeness = await completenessOf(recording?.id ?? '')
    const answer = await env.tenant.call('GET', `/recordings/${recording?.id}/download-url`)
    const { data } = (await answer.json()) as { data: { url: string } }
    const video = await openVideo(Buffer.from(await (await fetch(data.url)).arrayBuffer()))

    const edges = 5 * EDGE_SEC
    const heard = heardTones(video)
    const heardSec = heard.reduce((sum, { sec }) => sum + sec, 0)
    const breaks = heard.filter(({ tone }, i) => {
      const before = heard[i - 1]
      return before !== undefined && tone !== (before.tone + 1) % TONES.length
    })
    const lostSec = expectedSec - heardSec
    // A failure after ninety minutes must be explained by the output.
    const places = heard.map(({ tone, fromSec, sec }) => `${fromSec} s: ${tone} for ${sec} s`)
    const around = breaks.map((each) =>
      places.slice(Math.max(0, heard.indexOf(each) - 1)).slice(0, 3),
    )
    process.stdout.write(
      `expected ${expectedSec.toFixed(1)} s, heard ${heardSec.toFixed(1)} s, ${breaks.length} breaks\n` +
        `${JSON.stringify({ around, completeness })}\n`,
    )
    // The killed recorder loses some. The unreachable storage costs nothing.
    expect(lostSec).toBeLessThan(LOSS_MAX_SEC + edges + lateSec(completeness))
    expect(video.durationSec).toBeLessThan(expectedSec + edges)
    // Three pauses and the kill, each with a partial second before and after it.
    expect(breaks.length).toBeLessThanOrEqual(8)

    // The tenant's report has the same gap, with the reason.
    expect(completeness.is_complete).toBe(false)
    expect(completeness.people.map(({ role }) => role).toSorted()).toEqual([
      'moderator',
      'panelist',
    ])
    for (const { gaps, actual_sec: actualSec } of completeness.people) {
      const reasons = gaps.map(({ reason }) => reason).filter((reason) => reason !== 'late_start')
      expect(reasons).toEqual(['recorder_failed'])
      expect(Math.abs(actualSec - heardSec)).toBeLessThan(edges)
    }

    const stage = video.coloursAt(ON_STAGE)
    for (const { what, colour, atLeastSec, atMostSec } of shown) {
      const shownSec = stage.filter((each) => isNear(each, colour)).length * FRAME_SEC
      expect(shownSec, what).toBeGreaterThan(atLeastSec - EDGE_SEC)
      expect(shownSec, what).toBeLessThan(atMostSec + EDGE_SEC)
    }
    video.dispose()
  },
)
