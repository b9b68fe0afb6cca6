import { EgressStatus, EncodingOptions } from 'livekit-server-sdk'
import { expect } from 'vitest'
import { test } from './harness/egress-fixtures.ts'
import { colourAt, durationsOf, medianToneAt, readRecorded } from './harness/recorded-file.ts'
import { recordedFor } from './harness/until.ts'

const FRAME_RATE = 15
const SMALL = new EncodingOptions({
  width: 320,
  height: 240,
  framerate: FRAME_RATE,
  videoBitrate: 500,
})
const TONE_HZ = 440
const TEST_TIMEOUT_MS = 600_000
/** A file of LiveKit Egress begins so long before the moment that it reports (docs/livekit.md). */
const COMPOSITE_EARLY_SEC = 1.2
const MIDDLE = { x: 0.5, y: 0.5 }

test(
  'a short recording of a room shows and plays who was there, and is reported from start to end',
  {
    timeout: TEST_TIMEOUT_MS,
  },
  async ({ stage, room, join, egress, files, recorded, delivered }) => {
    const alice = await join('alice')
    await alice.run(async ({ room, livekit, createCanvasTrack, createTone }, hz) => {
      const { Camera, Microphone } = livekit.Track.Source
      const { track } = createCanvasTrack('rgb(0, 0, 255)', { width: 320, height: 240 })
      await room.localParticipant.publishTrack(track, { source: Camera, simulcast: false })
      await room.localParticipant.publishTrack(createTone(hz), { source: Microphone })
    }, TONE_HZ)

    const file = files.output(`${room}.mp4`)
    const { egressId } = await egress.startRoomCompositeEgress(room, file, {
      encodingOptions: SMALL,
    })
    const beginMs = await recorded.begun(egressId)
    await recordedFor(beginMs, 2)
    await egress.stopEgress(egressId)
    const stoppedSec = (Date.now() - beginMs) / 1000

    const info = await recorded.ended(egressId)
    expect(info).toMatchObject({ status: EgressStatus.EGRESS_COMPLETE, error: '' })
    const video = await readRecorded(await files.read(`${room}.mp4`), FRAME_RATE)
    const { videoSec, audioSec } = durationsOf(video)
    expect(videoSec).toBeGreaterThanOrEqual(2 - 1 / FRAME_RATE)
    const earlySec = stage.hasLiveKitEgress ? COMPOSITE_EARLY_SEC : 0
    expect(videoSec).toBeLessThanOrEqual(stoppedSec + earlySec + 1 / FRAME_RATE)
    expect(Math.abs(audioSec - videoSec)).toBeLessThan(0.1)
    const [red, , blue] = colourAt(video, 1, MIDDLE)
    expect([red < 60, blue > 180]).toEqual([true, true])
    expect(medianToneAt(video, 0.5, { hz: TONE_HZ, sec: 1.25 })).toBeGreaterThan(0.1)

    const names = ['egress_started', 'egress_updated', 'egress_updated', 'egress_ended']
    const received = await delivered(room, names)
    expect(received.map(({ event }) => event)).toEqual(names)
  },
)
