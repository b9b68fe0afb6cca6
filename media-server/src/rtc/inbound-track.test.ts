import { TrackInfo, TrackSource, TrackType } from '@livekit/protocol'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RtpHeader, RtpPacket } from 'werift'
import { InboundTrack } from './inbound-track.ts'

const HOUR_MS = 60 * 60_000
const KEY_FRAME = Buffer.of(0x10, 0x00)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test.each([HOUR_MS, -HOUR_MS])(
  'a system clock that is set by %d ms changes nothing of when key frames are requested',
  (stepMs) => {
    const info = new TrackInfo({ type: TrackType.VIDEO, source: TrackSource.CAMERA })
    const camera = new InboundTrack(info)
    const requestKeyFrame = vi.fn()
    camera.origin = { mid: '0', requestKeyFrame }
    camera.receive(new RtpPacket(new RtpHeader({ ssrc: 1 }), KEY_FRAME), '')
    camera.requestKeyFrame(0)
    vi.setSystemTime(Date.now() + stepMs)
    camera.requestKeyFrame(0)
    expect(requestKeyFrame).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(300)
    camera.requestKeyFrame(0)
    expect(requestKeyFrame).toHaveBeenCalledTimes(2)
  },
)
