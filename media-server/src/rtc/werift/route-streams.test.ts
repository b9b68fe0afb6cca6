import { expect, onTestFinished, test } from 'vitest'
import { type RTCPeerConnection, RtpHeader, RtpPacket, serializeSdesMid } from 'werift'
import { createPeer } from '../peer.ts'
import { routeStreams } from './route-streams.ts'

const MID = 1
const RID = 2
const REPAIRED_RID = 3
const ORIGINAL_SSRC = 1000
const RTX_SSRC = 2000

const OFFER = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'm=video 9 UDP/TLS/RTP/SAVPF 96 97',
  'c=IN IP4 0.0.0.0',
  'a=rtcp-mux',
  'a=mid:0',
  'a=sendonly',
  'a=ice-ufrag:name',
  'a=ice-pwd:passwordpasswordpassword',
  `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => '00').join(':')}`,
  'a=setup:actpass',
  `a=extmap:${MID} urn:ietf:params:rtp-hdrext:sdes:mid`,
  `a=extmap:${RID} urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id`,
  `a=extmap:${REPAIRED_RID} urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id`,
  'a=rtpmap:96 VP8/90000',
  'a=rtcp-fb:96 nack',
  'a=rtpmap:97 rtx/90000',
  'a=fmtp:97 apt=96',
  'a=rid:q send',
  'a=rid:h send',
  'a=simulcast:send q;h',
  '',
].join('\r\n')

interface Router {
  routeRtp: (packet: RtpPacket) => void
}

async function negotiate(pc: RTCPeerConnection): Promise<void> {
  await pc.setRemoteDescription({ type: 'offer', sdp: OFFER })
  await pc.setLocalDescription(await pc.createAnswer())
}

test('what is sent again of a layer is recognised after a further negotiation', async () => {
  const hooks = { log: () => {}, onActivity: () => {}, onConnected: () => {} }
  const pc = createPeer({}, 'receive', hooks)
  onTestFinished(() => pc.close())
  routeStreams(pc, () => {})
  const numbers: number[] = []
  await negotiate(pc)
  for (const track of pc.getReceivers().flatMap(({ tracks }) => tracks)) {
    track.onReceiveRtp.subscribe(({ header }) => numbers.push(header.sequenceNumber))
  }
  const { routeRtp } = (pc as unknown as { router: Router }).router

  const original = { ssrc: ORIGINAL_SSRC, payloadType: 96, sequenceNumber: 1 }
  routeRtp(packet(original, [[RID, 'q']], Buffer.from([0x10, 0])))
  routeRtp(packet(again(1), [[REPAIRED_RID, 'q']], resent(5)))
  expect(numbers).toEqual([1, 5])

  // A browser names its streams until it knows that they are recognised.
  await negotiate(pc)
  routeRtp(packet(again(2), [], resent(6)))
  expect(numbers).toEqual([1, 5, 6])
})

function again(sequenceNumber: number) {
  return { ssrc: RTX_SSRC, payloadType: 97, sequenceNumber, timestamp: sequenceNumber }
}

/** The payload of a packet that is sent again: its number, and what it had. */
function resent(sequenceNumber: number): Buffer {
  return Buffer.from([0, sequenceNumber, 0x10, 0])
}

function packet(
  header: Partial<RtpHeader>,
  names: [id: number, name: string][],
  payload: Buffer,
): RtpPacket {
  const extensions = names.length === 0 ? [] : [{ id: MID, payload: serializeSdesMid('0') }]
  extensions.push(...names.map(([id, name]) => ({ id, payload: Buffer.from(name) })))
  return new RtpPacket(new RtpHeader({ ...header, extension: true, extensions }), payload)
}
