import path from 'node:path'
import { EgressStatus, EncodedFileOutput, EncodingOptions } from 'livekit-server-sdk'
import { expect } from 'vitest'
import { test } from './harness/egress-fixtures.ts'
import { colourAt, durationsOf, readRecorded, toneAt } from './harness/recorded-file.ts'
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
const MIDDLE = { x: 0.5, y: 0.5 }

test(
  'a short recording of a room shows and plays who was there, and is reported from start to end',
  {
    timeout: TEST_TIMEOUT_MS,
  },
  async ({ stage, room, join, egress, recorded, delivered }) => {
    const alice = await join('alice')
    await alice.run(async ({ room, livekit, createCanvasTrack, createTone }, hz) => {
      const { Camera, Microphone } = livekit.Track.Source
      const { track } = createCanvasTrack('rgb(0, 0, 255)', { width: 320, height: 240 })
      await room.localParticipant.publishTrack(track, { source: Camera, simulcast: false })
      await room.localParticipant.publishTrack(createTone(hz), { source: Microphone })
    }, TONE_HZ)

    const file = new EncodedFileOutput({ filepath: `${room}.mp4` })
    const { egressId } = await egress.startRoomCompositeEgress(room, file, {
      encodingOptions: SMALL,
    })
    const beginMs = await recorded.begun(egressId)
    await recordedFor(beginMs, 2)
    await egress.stopEgress(egressId)
    const stoppedSec = (Date.now() - beginMs) / 1000

    const info = await recorded.ended(egressId)
    expect(info).toMatchObject({ status: EgressStatus.EGRESS_COMPLETE, error: '' })
    const video = await readRecorded(
      path.join(stage.recordingsFolder ?? '', `${room}.mp4`),
      FRAME_RATE,
    )
    const { videoSec, audioSec } = durationsOf(video)
    expect(videoSec).toBeGreaterThanOrEqual(2 - 1 / FRAME_RATE)
    expect(videoSec).toBeLessThanOrEqual(stoppedSec + 1 / FRAME_RATE)
    expect(Math.abs(audioSec - videoSec)).toBeLessThan(0.1)
    const [red, , blue] = colourAt(video, 1, MIDDLE)
    expect([red < 60, blue > 180]).toEqual([true, true])
    expect(toneAt(video, 0.5, { hz: TONE_HZ, sec: 1 })).toBeGreaterThan(0.1)

    const names = ['egress_started', 'egress_updated', 'egress_updated', 'egress_ended']
    const received = await delivered(room, names)
    expect(received.map(({ event }) => event)).toEqual(names)
  },
)
