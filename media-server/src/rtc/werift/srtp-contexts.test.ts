import { KeyObject, randomBytes } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { RTCPeerConnection, RtpHeader, SrtcpSession, SrtpSession } from 'werift'
import { createPeer, watchInbound } from '../peer.ts'
import { prepareSrtpContexts } from './srtp-contexts.ts'

// RFC 5764 and 7714: AES in counter mode with HMAC-SHA1, and AES-GCM.
const PROFILES = [
  { profile: 1, saltBytes: 14 },
  { profile: 7, saltBytes: 12 },
] as const

type Config = ConstructorParameters<typeof SrtpSession>[0]

/** Two ends of one connection, the second of which has imported its keys. */
function bothEnds({ profile, saltBytes }: (typeof PROFILES)[number]) {
  const [here, there] = [0, 1].map(() => ({ key: randomBytes(16), salt: randomBytes(saltBytes) }))
  const sessions = (local = here, remote = there) => {
    const config = {
      profile,
      keys: {
        localMasterKey: local?.key,
        localMasterSalt: local?.salt,
        remoteMasterKey: remote?.key,
        remoteMasterSalt: remote?.salt,
      },
    } as Config
    return { srtp: new SrtpSession(config), srtcp: new SrtcpSession(config) }
  }
  const prepared = { ...sessions(there, here), updateSrtpSession: vi.fn() }
  prepareSrtpContexts(prepared)
  return { plain: sessions(), prepared }
}

describe.each(PROFILES)('keys that were imported, of profile $profile', (profile) => {
  test('encrypt and decrypt as those that were not', () => {
    const { plain, prepared } = bothEnds(profile)
    const header = new RtpHeader({ ssrc: 5, sequenceNumber: 9, payloadType: 96 })
    const media = Buffer.from('a frame')
    for (const [from, to] of [
      [plain, prepared],
      [prepared, plain],
    ] as const) {
      const arrived = to.srtp.decrypt(from.srtp.encrypt(media, header))
      expect(arrived.subarray(header.serializeSize)).toEqual(media)
      // An empty receiver report.
      const report = Buffer.from('80c9000100000005', 'hex')
      expect(to.srtcp.decrypt(from.srtcp.encrypt(report))).toEqual(report)
    }
  })

  test('follow numbers that run over, whatever is lost or late at that moment', () => {
    const { plain, prepared } = bothEnds(profile)
    const media = Buffer.from('a frame')
    const headers = Array.from({ length: 700 }, (_, i) => {
      return new RtpHeader({ ssrc: 5, sequenceNumber: (65_200 + i) & 0xffff, payloadType: 96 })
    })
    const sent = headers.map((header) => plain.srtp.encrypt(media, header))
    // Three hundred are lost, and one from long before is late.
    const arrived = [...sent.slice(0, 200), ...sent.slice(500), ...sent.slice(190, 191)]
    const payloads = arrived.map((packet) => prepared.srtp.decrypt(packet).subarray(12))
    expect(payloads).toEqual(arrived.map(() => media))
  })

  test('still refuse what was changed on the way', () => {
    const { plain, prepared } = bothEnds(profile)
    const header = new RtpHeader({ ssrc: 5, sequenceNumber: 9, payloadType: 96 })
    const packet = plain.srtp.encrypt(Buffer.from('a frame'), header)
    packet.writeUInt8(packet.readUInt8(14) ^ 1, 14)
    expect(() => prepared.srtp.decrypt(packet)).toThrow('authenticate')
  })
})

test('a connection imports its keys when it has them', async () => {
  const connected = Promise.withResolvers<void>()
  const hooks = { log: () => {}, onActivity: () => {}, onConnected: connected.resolve }
  const server = createPeer({}, 'receive', hooks)
  const client = new RTCPeerConnection({
    iceServers: [],
    iceAdditionalHostAddresses: ['127.0.0.1'],
  })
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  client.addTransceiver('audio')
  await client.setLocalDescription(await client.createOffer())
  await server.setRemoteDescription({ type: 'offer', sdp: client.localDescription?.sdp ?? '' })
  await server.setLocalDescription(await server.createAnswer())
  watchInbound(server, new WeakSet(), hooks)
  await client.setRemoteDescription({ type: 'answer', sdp: server.localDescription?.sdp ?? '' })
  await connected.promise

  const keys = server.dtlsTransports.map(({ srtp }) => {
    const { cipher } = srtp.remoteContext as unknown as { cipher: Record<string, unknown> }
    return cipher['srtpSessionKey']
  })
  expect(keys).toEqual([expect.any(KeyObject)])
})
