import { type RTCRtpSender, RtcpRrPacket, RtcpSrPacket } from 'werift'
import type { ReceivedReport } from './loss-meter.ts'

/** Calls back for each receiver report about this sender's packets. */
export function watchReports(
  sender: RTCRtpSender,
  onReport: (report: ReceivedReport) => void,
): void {
  sender.onRtcp.subscribe((packet) => {
    if (!(packet instanceof RtcpRrPacket || packet instanceof RtcpSrPacket)) return
    for (const report of packet.reports) if (report.ssrc === sender.ssrc) onReport(report)
  })
}
