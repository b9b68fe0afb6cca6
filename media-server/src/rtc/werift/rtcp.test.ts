import { describe, expect, test } from 'vitest'
import { type RtcpPacket, RtcpReceiverInfo, RtcpRrPacket } from 'werift'
import { keepReportsWritable } from './rtcp.ts'

function report(ssrc: number, jitter: number): RtcpReceiverInfo {
  return new RtcpReceiverInfo({
    ssrc,
    fractionLost: 3,
    packetsLost: 7,
    highestSequence: 500,
    jitter,
    lsr: 0,
    dlsr: 0,
  })
}

function writing() {
  const written: Buffer[] = []
  const transport = {
    sendRtcp: async (packets: RtcpPacket[]) => {
      for (const packet of packets) written.push(packet.serialize())
      return undefined
    },
  }
  keepReportsWritable(transport)
  return { written, transport }
}

/** Reports after the header of four bytes, whose first one has their number. */
const reportsIn = (bytes: Buffer) =>
  RtcpRrPacket.deSerialize(bytes.subarray(4), bytes.readUInt8(0) % 32).reports.map(
    ({ ssrc, jitter }) => [ssrc, jitter],
  )

describe('a reception report', () => {
  test.each([-1, -268_435_456, 2 ** 32])('is written although a jitter is %i', async (jitter) => {
    const { written, transport } = writing()
    const reports = [report(1, 240), report(2, jitter)]
    await transport.sendRtcp([new RtcpRrPacket({ ssrc: 9, reports })])
    expect(written.map(reportsIn)).toEqual([
      [
        [1, 240],
        [2, 0],
      ],
    ])
  })

  test('has the measured values otherwise', async () => {
    const { written, transport } = writing()
    await transport.sendRtcp([new RtcpRrPacket({ ssrc: 9, reports: [report(1, 2 ** 32 - 1)] })])
    expect(written.map(reportsIn)).toEqual([[[1, 2 ** 32 - 1]]])
  })
})
