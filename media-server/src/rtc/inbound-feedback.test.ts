import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type GenericNack,
  type RTCPeerConnection,
  type RtcpPacket,
  RtcpTransportLayerFeedback,
} from 'werift'
import { readFeedback } from '../../test/support/read-feedback.ts'
import { InboundFeedback } from './inbound-feedback.ts'

const SSRC = 77

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('a publisher', () => {
  test('gets feedback on each packet once, within 50 ms', () => {
    const { feedback, received } = publisher()
    feedback.notePassage({ ssrc: SSRC, transportNumber: 5, sendTicks: 0 })
    feedback.notePassage({ ssrc: SSRC, transportNumber: 7, sendTicks: 10 })
    vi.advanceTimersByTime(50)
    expect(received()).toMatchObject([
      { senderSsrc: 9, mediaSsrc: SSRC, baseSequenceNumber: 5, messageNumber: 0 },
    ])
    vi.advanceTimersByTime(500)
    expect(received()).toHaveLength(1)
  })

  test('is asked for a missing packet of video, and again when a round trip has passed', () => {
    const { feedback, asked } = publisher({ roundTripSec: 0.2 })
    feedback.noteRepairable(SSRC, 10)
    feedback.noteRepairable(SSRC, 12)
    feedback.noteRepairable(SSRC + 1, 4000)
    vi.advanceTimersByTime(40)
    expect(asked()).toEqual([{ ssrc: SSRC, lost: [11] }])
    vi.advanceTimersByTime(250)
    expect(asked()).toHaveLength(2)
    expect(feedback.noteRepairable(SSRC, 11)).toBe(true)
    vi.advanceTimersByTime(500)
    expect(asked()).toHaveLength(2)
  })

  test('that wants no reports gets no feedback while nothing is missing', () => {
    const { feedback, asked } = publisher()
    feedback.noteRepairable(SSRC, 10)
    expect(vi.getTimerCount()).toBe(0)
    feedback.noteRepairable(SSRC, 12)
    vi.advanceTimersByTime(40)
    expect(asked()).toEqual([{ ssrc: SSRC, lost: [11] }])
    feedback.noteRepairable(SSRC, 11)
    vi.advanceTimersByTime(40)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('gets no feedback while it sends nothing, and again when it resumes', () => {
    const { feedback, received } = publisher()
    expect(vi.getTimerCount()).toBe(0)
    feedback.notePassage({ ssrc: SSRC, transportNumber: 5, sendTicks: 0 })
    vi.advanceTimersByTime(3000)
    expect(vi.getTimerCount()).toBe(0)

    vi.advanceTimersByTime(60_000)
    feedback.notePassage({ ssrc: SSRC, transportNumber: 6, sendTicks: 0 })
    const arrivedTicks = performance.now() * 4
    vi.advanceTimersByTime(50)
    expect(received()[1]?.arrivals[0]).toBeCloseTo(arrivedTicks, -1)
  })

  test('that has left gets no feedback', () => {
    const { feedback, received } = publisher()
    feedback.notePassage({ ssrc: SSRC, transportNumber: 5, sendTicks: 0 })
    feedback.close()
    feedback.notePassage({ ssrc: SSRC, transportNumber: 6, sendTicks: 0 })
    vi.advanceTimersByTime(500)
    expect(received()).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})

function publisher({ roundTripSec = 0.05 } = {}) {
  const sent: RtcpPacket[] = []
  const transport = {
    state: 'connected',
    sendRtcp: (packets: RtcpPacket[]): Promise<void> => {
      sent.push(...packets)
      return Promise.resolve()
    },
  }
  const pc = {
    dtlsTransports: [transport],
    iceTransports: [{ connection: { nominated: { rtt: roundTripSec } } }],
    getSenders: () => [{ ssrc: 9 }],
  }
  return {
    feedback: new InboundFeedback(pc as unknown as RTCPeerConnection),
    received: () =>
      sent.filter((packet) => !isNack(packet)).map((packet) => readFeedback(packet.serialize())),
    asked: () =>
      sent.filter(isNack).map((packet) => {
        const { mediaSourceSsrc, lost } = packet.feedback as GenericNack
        return { ssrc: mediaSourceSsrc, lost }
      }),
  }
}

function isNack(packet: RtcpPacket): packet is RtcpTransportLayerFeedback {
  return packet instanceof RtcpTransportLayerFeedback
}
