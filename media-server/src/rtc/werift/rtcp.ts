import { type RTCDtlsTransport, type RtcpPacket, RtcpRrPacket } from 'werift'

/** Limit of the field of a report: 32 bits, in units of the stream's clock. */
const JITTER_MAX = 0xffff_ffff

type Transport = Pick<RTCDtlsTransport, 'sendRtcp'>

/**
 * werift's measure of jitter overflows or goes below zero where the times of a stream jump far, until some more
 * packets of it have come. It cannot write a report with such a number, and throws no error: meanwhile the sender does
 * not learn what became of its other streams either. Reports a jitter of zero instead.
 */
export function keepReportsWritable(transport: Transport): void {
  const send = transport.sendRtcp.bind(transport)
  transport.sendRtcp = (packets) => {
    for (const packet of packets) mend(packet)
    return send(packets)
  }
}

function mend(packet: RtcpPacket): void {
  if (!(packet instanceof RtcpRrPacket)) return
  for (const report of packet.reports) {
    if (report.jitter < 0 || report.jitter > JITTER_MAX) report.jitter = 0
  }
}

/** werift writes transport-wide feedback wrongly (see `transport-feedback.ts`), and sends only packets of its own. */
export function packetOf(message: Buffer): RtcpPacket {
  return { serialize: () => message } as unknown as RtcpPacket
}
