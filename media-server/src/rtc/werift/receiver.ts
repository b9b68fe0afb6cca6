import type { RtpPacket, RTCRtpReceiver } from 'werift'

/** Counters that werift keeps of one stream and leaves out of its interface. */
interface StreamCounters {
  packets_lost: number
  packets_received: number
}

export function countersOf(receiver: RTCRtpReceiver): StreamCounters[] {
  const { remoteStreams } = receiver as unknown as { remoteStreams: Record<string, StreamCounters> }
  return Object.values(remoteStreams)
}

/**
 * werift keeps one list of missing packets for all layers of a camera, whose numbers have nothing to do with each
 * other, and asks for each ten times within 50 ms. Keeps it from asking; `InboundFeedback` does.
 */
export function silenceNack(receiver: RTCRtpReceiver): void {
  const { nack } = receiver as unknown as { nack: { addPacket: (packet: RtpPacket) => void } }
  nack.addPacket = () => undefined
}
