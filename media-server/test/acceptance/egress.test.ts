import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  EgressStatus,
  EncodedFileOutput,
  EncodedFileType,
  EncodingOptions,
  S3Upload,
} from 'livekit-server-sdk'
import { describe, expect } from 'vitest'
import type { BrowserClient } from './harness/browser-client.ts'
import { test } from './harness/egress-fixtures.ts'
import {
  colourAt,
  durationsOf,
  readRecorded,
  audioDelays,
  median,
  medianToneAt,
  toneAt,
} from './harness/recorded-file.ts'
import { startS3Inbox } from './harness/s3-inbox.ts'
import { recordedFor } from './harness/until.ts'

const BEEP_HZ = 1000
const FLASHES_MIN = 5
const TONE_HZ = 440
const FRAME_RATE = 30
const FAST = new EncodingOptions({
  width: 640,
  height: 480,
  framerate: FRAME_RATE,
  videoBitrate: 1000,
})
const TEST_TIMEOUT_MS = 600_000
const MIDDLE = { x: 0.5, y: 0.5 }
const LEFT = { x: 0.25, y: 0.5 }
const RIGHT = { x: 0.75, y: 0.5 }

async function publishFlashBeep(client: BrowserClient): Promise<void> {
  await client.run(async ({ room, livekit, createFlashBeep }, hz) => {
    const { picture, sound } = createFlashBeep({ hz, everyMs: 1000 })
    const { Camera, Microphone } = livekit.Track.Source
    const options = { simulcast: false, dtx: false }
    await room.localParticipant.publishTrack(picture, { ...options, source: Camera })
    await room.localParticipant.publishTrack(sound, { ...options, source: Microphone })
  }, BEEP_HZ)
}

async function publishBlueAndTone(client: BrowserClient): Promise<void> {
  await client.run(async ({ room, livekit, createCanvasTrack, createTone }, hz) => {
    const { Camera, Microphone } = livekit.Track.Source
    const size = { width: 320, height: 240 }
    const { track } = createCanvasTrack('rgb(0, 0, 255)', size)
    await room.localParticipant.publishTrack(track, { source: Camera, simulcast: false })
    await room.localParticipant.publishTrack(createTone(hz), { source: Microphone })
  }, TONE_HZ)
}

// A room composite of LiveKit Egress misses these bounds: docs/livekit.md has its figures.
test.beforeEach(({ stage, skip }) => {
  skip(stage.hasLiveKitEgress, 'LiveKit Egress composes differently')
})

describe('a recording of a room', () => {
  test(
    'shows who was there and when, hears everybody, and keeps audio and video together',
    {
      timeout: TEST_TIMEOUT_MS,
    },
    async ({ stage, room, join, egress, recorded, delivered, onTestFinished }) => {
      const alice = await join('alice', { name: 'Alice' })
      await publishFlashBeep(alice)
      const s3 = await startS3Inbox()
      onTestFinished(() => s3.close())

      const file = new EncodedFileOutput({ filepath: `${room}.mp4`, fileType: EncodedFileType.MP4 })
      const { egressId } = await egress.startRoomCompositeEgress(room, file, {
        layout: 'grid',
        encodingOptions: FAST,
      })
      const upload = { endpoint: s3.url, bucket: 'bucket', forcePathStyle: true }
      const value = new S3Upload({ ...upload, accessKey: 'key', secret: 'very-secret' })
      const own = await egress.startParticipantEgress(room, 'alice', {
        file: new EncodedFileOutput({ filepath: 'alice.mp4', output: { case: 's3', value } }),
      })
      const beginMs = await recorded.begun(egressId)
      const at = (): number => (Date.now() - beginMs) / 1000
      await recordedFor(beginMs, 4)

      const observer = await join('observer', { grant: { hidden: true, canPublish: false } })
      const bob = await join('bob', { name: 'ボブ' })
      await publishBlueAndTone(bob)
      await alice.showsFrames('bob')
      await alice.hears('bob')
      const bobSeen = at()
      await bob.run(({ flashesOf }) => flashesOf('alice'))
      await recordedFor(beginMs, bobSeen + 3)
      expect(await alice.run((page) => page.room.isRecording)).toBe(true)
      await egress.updateLayout(egressId, 'speaker')
      const speakerLaid = at()
      await recordedFor(beginMs, speakerLaid + 2)
      await egress.updateLayout(egressId, 'grid')
      await bob.run(({ local }) => local('camera').mute())
      await alice.sees('trackMuted bob camera')
      const bobMuted = at()
      await recordedFor(beginMs, bobMuted + 2)
      // A busy machine sends fewer than one a second.
      await bob.until('flashes', ({ flashesOf }, min) => flashesOf('alice') > min, FLASHES_MIN)
      await bob.close()
      await alice.sees('participantDisconnected bob')
      const bobGone = at()
      await recordedFor(beginMs, bobGone + 2)
      const stopAsked = at()
      const stopped = await egress.stopEgress(egressId)
      const stoppedAt = at()
      expect(stopped.status).toBe(EgressStatus.EGRESS_ENDING)
      await Promise.all([alice.close(), observer.close()])

      const info = await recorded.ended(egressId)
      expect(info).toMatchObject({ status: EgressStatus.EGRESS_COMPLETE, error: '' })
      const target = path.join(stage.recordingsFolder ?? '', `${room}.mp4`)
      expect(info.fileResults[0]).toMatchObject({ filename: target, location: target })
      const video = await readRecorded(target, FRAME_RATE)
      expect(video.description).toMatch(/Video: h264 \(Main\).*yuv420p.*640x480/)
      expect(video.description).toMatch(/Audio: aac.*48000 Hz/)
      const { videoSec, audioSec } = durationsOf(video)
      // It stops between the request and the answer.
      expect(videoSec).toBeGreaterThan(stopAsked - 0.3)
      expect(videoSec).toBeLessThan(stoppedAt + 0.3)
      expect(Math.abs(audioSec - videoSec)).toBeLessThan(0.1)

      // Alone, then beside Bob, whose picture goes dark before he goes.
      const [aloneRed, , aloneBlue] = colourAt(video, 3, RIGHT)
      expect(aloneBlue).toBeLessThanOrEqual(aloneRed)
      const [red, , blue] = colourAt(video, bobSeen + 2.5, RIGHT)
      expect([red < 60, blue > 180]).toEqual([true, true])
      // Bob speaks all the time, and Alice beeps now and then.
      const [focusRed, , focusBlue] = colourAt(video, speakerLaid + 1.5, { x: 0.5, y: 0.3 })
      expect([focusRed < 60, focusBlue > 180]).toEqual([true, true])
      const dark = colourAt(video, bobMuted + 1.5, RIGHT)
      expect(Math.max(...dark)).toBeLessThan(70)
      expect(dark[2] - dark[0]).toBeLessThan(20)
      // Alone again: what was the border between the two is her picture.
      const border = { x: 0.5, y: 0.5 }
      const reds = [0, 0.3, 0.6].map((later) => colourAt(video, bobGone + 1 + later, border)[0])
      expect(Math.max(...reds)).toBeGreaterThan(40)

      expect(medianToneAt(video, bobSeen + 0.5, { hz: TONE_HZ, sec: 2.5 })).toBeGreaterThan(0.1)
      expect(toneAt(video, 1, { hz: TONE_HZ, sec: 1 })).toBeLessThan(0.02)
      expect(toneAt(video, bobGone + 1, { hz: TONE_HZ, sec: 1 })).toBeLessThan(0.02)
      const delays = audioDelays(video, { hz: BEEP_HZ, place: LEFT })
      expect(delays.length).toBeGreaterThan(FLASHES_MIN)
      expect(Math.abs(median(delays))).toBeLessThan(80)

      // Alice's own ended when she left, and went to the bucket.
      const alone = await recorded.ended(own.egressId)
      expect(alone).toMatchObject({ status: EgressStatus.EGRESS_COMPLETE, error: '' })
      expect(alone.details).toContain('Source closed')
      expect(alone.toJsonString()).not.toContain('very-secret')
      expect(alone.fileResults[0]).toMatchObject({ filename: 'alice.mp4' })
      const uploaded = s3.objects.get('/bucket/alice.mp4')
      expect(uploaded?.length).toBe(Number(alone.fileResults[0]?.size))
      const copy = path.join(stage.recordingsFolder ?? '', 'uploaded.mp4')
      await writeFile(copy, uploaded ?? '')
      const single = await readRecorded(copy, FRAME_RATE)
      expect(single.description).toMatch(/Video: h264.*320x240/)
      expect(Math.abs(median(audioDelays(single, { hz: BEEP_HZ, place: MIDDLE })))).toBeLessThan(80)

      const { EGRESS_STARTING, EGRESS_ACTIVE, EGRESS_ENDING, EGRESS_COMPLETE } = EgressStatus
      const names = ['egress_started', 'egress_updated', 'egress_updated', 'egress_ended']
      const deliveries = await delivered(room, names)
      const received = deliveries
        .map(
          ({ body }) =>
            JSON.parse(body) as {
              event: string
              egressInfo: { egressId: string; status?: string }
            },
        )
        .filter(({ egressInfo }) => egressInfo.egressId === egressId)
      expect(received.map(({ event }) => event)).toEqual(names)
      expect(
        received.map(({ egressInfo: { status } }) => status ?? EgressStatus[EGRESS_STARTING]),
      ).toEqual(
        [EGRESS_STARTING, EGRESS_ACTIVE, EGRESS_ENDING, EGRESS_COMPLETE].map(
          (one) => EgressStatus[one],
        ),
      )
    },
  )
})
