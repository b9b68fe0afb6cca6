import { describe, expect, test } from 'vitest'
import { GenericNack, type RTCRtpSender, type RtcpPacket, RtcpTransportLayerFeedback } from 'werift'
import { limitResends, Resends } from './limit-resends.ts'

const ROUND_TRIP_MS = 200

describe('a retransmission', () => {
  test('happens at the first request, and not while the answer is under way', () => {
    const resends = new Resends()
    expect(resends.isDue(7, 0, ROUND_TRIP_MS)).toBe(true)
    expect(resends.isDue(7, 100, ROUND_TRIP_MS)).toBe(false)
    expect(resends.isDue(8, 100, ROUND_TRIP_MS)).toBe(true)
  })

  test('is repeated when the answer must have been lost', () => {
    const resends = new Resends()
    resends.isDue(7, 0, ROUND_TRIP_MS)
    expect([219, 220, 300].map((nowMs) => resends.isDue(7, nowMs, ROUND_TRIP_MS))).toEqual([
      false,
      true,
      false,
    ])
  })

  test('is possible for the newest 500 packets only', () => {
    const resends = new Resends()
    for (let number = 0; number < 501; number++) resends.isDue(number, 0, ROUND_TRIP_MS)
    expect(resends.isDue(500, 1, ROUND_TRIP_MS)).toBe(false)
    expect(resends.isDue(0, 1, ROUND_TRIP_MS)).toBe(true)
  })

  test('answers the rest of a request, with numbers of 16 bits', () => {
    const { sender, asked } = playedSender()
    limitResends(sender, () => false)
    sender.handleRtcpPacket(nack([65_535, 65_536]))
    sender.handleRtcpPacket(nack([65_535, 1]))
    expect(asked).toEqual([[65_535, 0], [1]])
  })

  test('does not happen while the connection is congested', () => {
    const { sender, asked } = playedSender()
    let isSpared = true
    limitResends(sender, () => isSpared)
    sender.handleRtcpPacket(nack([7, 8]))
    isSpared = false
    sender.handleRtcpPacket(nack([8]))
    expect(asked).toEqual([[], [8]])
  })
})

/** A sender of the library, and what it would send again. */
function playedSender(): { sender: RTCRtpSender; asked: number[][] } {
  const asked: number[][] = []
  const sender = {
    handleRtcpPacket(packet: RtcpPacket): void {
      const { feedback } = packet as RtcpTransportLayerFeedback
      asked.push([...(feedback as GenericNack).lost])
    },
  }
  return { sender: sender as unknown as RTCRtpSender, asked }
}

function nack(lost: number[]): RtcpTransportLayerFeedback {
  const feedback = new GenericNack({ senderSsrc: 1, mediaSourceSsrc: 2, lost })
  return new RtcpTransportLayerFeedback({ feedback })
}
