import {
  type EgressClient,
  EgressStatus,
  EncodedFileOutput,
  EncodingOptions,
} from 'livekit-server-sdk'
import { expect } from 'vitest'
import type { BrowserClient } from './harness/browser-client.ts'
import {
  audioDelays,
  colourAt,
  durationsOf,
  readRecorded,
  median,
  toneAt,
} from './harness/recorded-file.ts'
import { test } from './harness/recorder-process.ts'
import { recordedFor, until } from './harness/until.ts'

const FRAME_RATE = 30
const ENCODING = new EncodingOptions({
  width: 320,
  height: 240,
  framerate: FRAME_RATE,
  videoBitrate: 500,
})
const BEEP_HZ = 1000
const FLASHES_MIN = 4
/** One may be on when the recording begins, one when it stops, and one on its way. */
const FLASHES_AT_ENDS = 3
const TONE_HZ = 440
const COMPOSE_TIMEOUT_MS = 300_000
const TEST_TIMEOUT_MS = 600_000
/** Tolerance for livekit-server; the embedded one reports to subscribers when it sent, busy or not. */
const DELAY_MAX_MS = { foreign: 80, embedded: 150 }
/** From when everybody's picture is there: the embedded server's reports jitter while the machine is busy. */
const PICTURES_FROM_SEC = { foreign: 0.2, embedded: 1 }
const LEFT = { x: 0.25, y: 0.5 }
const RIGHT = { x: 0.75, y: 0.5 }

/** A busy machine sends fewer than one each half second: so long is recorded that there are enough. */
async function showsFlashes(bob: BrowserClient): Promise<void> {
  const count = FLASHES_MIN + FLASHES_AT_ENDS
  await bob.until('flashes of alice', ({ flashesOf }, min) => flashesOf('alice') >= min, count)
}

async function begin(egress: EgressClient, room: string, name: string) {
  const file = new EncodedFileOutput({ filepath: name })
  const { egressId } = await egress.startRoomCompositeEgress(room, file, {
    encodingOptions: ENCODING,
  })
  const info = await settled(egress, egressId, EgressStatus.EGRESS_ACTIVE)
  return { egressId, beginMs: Number((info.fileResults[0]?.startedAt ?? 0n) / 1_000_000n) }
}

async function settled(egress: EgressClient, egressId: string, status: EgressStatus) {
  const [info] = await until({
    fact: `status ${EgressStatus[status]}`,
    read: () => egress.listEgress({ egressId }),
    holds: ([found]) => (found?.status ?? 0) >= status,
    timeoutMs: COMPOSE_TIMEOUT_MS,
  })
  if (info === undefined) throw new Error(`no egress ${egressId}`)
  expect(EgressStatus[info.status]).toBe(EgressStatus[status])
  return info
}

test(
  'a recorder beside the server records through lost signalling, and recovers from a kill',
  { timeout: TEST_TIMEOUT_MS },
  async ({ stage, room, join, recorder }) => {
    const alice = await join('alice')
    await alice.run(async ({ room, livekit, createFlashBeep }, hz) => {
      const { picture, sound } = createFlashBeep({ hz, everyMs: 500 })
      const { Camera, Microphone } = livekit.Track.Source
      const options = { simulcast: false, dtx: false }
      await room.localParticipant.publishTrack(picture, { ...options, source: Camera })
      await room.localParticipant.publishTrack(sound, { ...options, source: Microphone })
    }, BEEP_HZ)
    const bob = await join('bob')
    await bob.run(async ({ room, livekit, createCanvasTrack, createTone }, hz) => {
      const { Camera, Microphone } = livekit.Track.Source
      const { track } = createCanvasTrack('rgb(0, 0, 255)', { width: 320, height: 240 })
      await room.localParticipant.publishTrack(track, { source: Camera, simulcast: false })
      await room.localParticipant.publishTrack(createTone(hz), { source: Microphone })
    }, TONE_HZ)
    await alice.showsFrames('bob')
    await bob.showsFrames('alice')

    const egress = recorder.egress()
    const { egressId, beginMs } = await begin(egress, room, 'out.mp4')
    expect(await recorder.health()).toMatchObject({
      recording: 1,
      recordingMax: 1,
      problems: [],
      undeliveredSec: 0,
      deliveries: [],
    })
    const another = new EncodedFileOutput({ filepath: 'another.mp4' })
    await expect(egress.startRoomCompositeEgress(room, another)).rejects.toMatchObject({
      code: 'resource_exhausted',
      status: 429,
    })
    expect(await alice.run((page) => page.room.isRecording)).toBe(true)
    await bob.run(({ flashesOf }) => flashesOf('alice'))
    await recordedFor(beginMs, 2)
    recorder.outage(300)
    await recorder.logged('room joined', 2)
    const backSec = (Date.now() - beginMs) / 1000
    await recordedFor(beginMs, backSec + 2)
    await showsFlashes(bob)
    const stopped = await egress.stopEgress(egressId)
    expect(stopped.status).toBe(EgressStatus.EGRESS_ENDING)
    const killed = await begin(egress, room, 'killed.mp4')
    const info = await settled(egress, egressId, EgressStatus.EGRESS_COMPLETE)
    expect(info).toMatchObject({ details: 'End reason: StopEgress API', error: '' })
    await recordedFor(killed.beginMs, 2)
    await recorder.kill()
    await recorder.start()
    const saved = await settled(recorder.egress(), killed.egressId, EgressStatus.EGRESS_COMPLETE)
    expect(saved.details).toBe('End reason: Process killed; the worker was restarted')

    const video = await readRecorded(recorder.fileOf('out.mp4'), FRAME_RATE)
    const { videoSec, audioSec } = durationsOf(video)
    expect(videoSec).toBeGreaterThan(backSec + 2 - 0.1)
    expect(Math.abs(audioSec - videoSec)).toBeLessThan(0.1)
    const server = stage.isEmbedded ? 'embedded' : 'foreign'
    const delays = audioDelays(video, { hz: BEEP_HZ, place: LEFT })
    expect(delays.length).toBeGreaterThan(FLASHES_MIN)
    expect(Math.abs(median(delays))).toBeLessThan(DELAY_MAX_MS[server])
    for (const sec of [0.2, 0.5, 1, 1.5, videoSec - 1, videoSec - 0.5]) {
      expect(toneAt(video, sec, { hz: TONE_HZ, sec: 0.4 }), `at ${sec} s`).toBeGreaterThan(0.1)
      if (sec < PICTURES_FROM_SEC[server]) continue
      const [red, , blue] = colourAt(video, sec, RIGHT)
      expect([red < 60, blue > 180], `at ${sec} s`).toEqual([true, true])
    }

    const rest = await readRecorded(recorder.fileOf('killed.mp4'), FRAME_RATE)
    expect(durationsOf(rest).videoSec).toBeGreaterThan(1.5)
    expect(toneAt(rest, 1, { hz: TONE_HZ, sec: 0.4 })).toBeGreaterThan(0.1)
  },
)
