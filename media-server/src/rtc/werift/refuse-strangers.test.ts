import { createSocket } from 'node:dgram'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { RTCPeerConnection } from 'werift'
import { createPeer, watchInbound } from '../peer.ts'
import { letOtherSideBegin } from './let-other-side-begin.ts'

interface Socket {
  localIp: string
  getExtraInfo(): [host: string, port: number]
}

/** The server's side of a connection with a client. */
async function connected() {
  const hooks = { log: () => {}, onActivity: () => {}, onConnected: () => {} }
  const pc = createPeer({}, 'receive', hooks)
  const client = new RTCPeerConnection({ iceServers: [] })
  onTestFinished(async () => {
    await client.close()
    await pc.close()
  })
  const channel = client.createDataChannel('_reliable')
  const heard: string[] = []
  pc.onDataChannel.subscribe(({ onMessage }) =>
    onMessage.subscribe((text) => heard.push(text.toString())),
  )
  await client.setLocalDescription(await client.createOffer())
  const offer = client.localDescription?.sdp ?? ''
  await pc.setRemoteDescription({ type: 'offer', sdp: offer })
  letOtherSideBegin(pc, offer)
  await pc.setLocalDescription(await pc.createAnswer())
  watchInbound(pc, new WeakSet(), hooks)
  const sdp = pc.localDescription?.sdp ?? ''
  await client.setRemoteDescription({ type: 'answer', sdp })
  await vi.waitFor(() => expect(channel.readyState).toBe('open'), { timeout: 20_000 })
  return { pc, channel, heard }
}

const socketsOf = ({ iceTransports }: RTCPeerConnection) =>
  iceTransports.flatMap(
    ({ connection }) => (connection as unknown as { protocols: Socket[] }).protocols,
  )

/** Sends a packet to every socket of a connection, from an address that it does not know; answers what comes back. */
async function sendAsStranger(pc: RTCPeerConnection, packet: Buffer): Promise<Buffer[]> {
  const stranger = createSocket('udp4')
  onTestFinished(() => void stranger.close())
  const answers: Buffer[] = []
  stranger.on('message', (answer) => answers.push(answer))
  for (const socket of socketsOf(pc)) {
    stranger.send(packet, socket.getExtraInfo()[1], socket.localIp)
  }
  await sleep(300)
  return answers
}

/** A record of DTLS in plain text. */
function record(type: number, content: readonly number[]): Buffer {
  const head = [type, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 1, 0, content.length]
  return Buffer.from([...head, ...content])
}

function attribute(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(value.length, 2)
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)])
}

/** A check of ICE that is not signed. */
function unsignedCheck(): Buffer {
  const attributes = Buffer.concat([
    attribute(0x0006, Buffer.from('abcd:efgh')),
    attribute(0x0024, Buffer.alloc(4, 1)),
    attribute(0x802a, Buffer.alloc(8, 1)),
  ])
  const head = [0, 1, 0, attributes.length, 0x21, 0x12, 0xa4, 0x42, ...Buffer.alloc(12, 7)]
  return Buffer.concat([Buffer.from(head), attributes])
}

const CLIENT_HELLO = [1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0xfe, 0xfd]

describe('a connection', () => {
  test.each([
    ['an alert', record(21, [1, 0])],
    ['a record of no known type', record(25, [0])],
    ['a handshake', record(22, CLIENT_HELLO)],
    ['a check that is not signed', unsignedCheck()],
    ['a check that breaks off', unsignedCheck().subarray(0, 21)],
    ['noise', Buffer.from('noise')],
  ])('does not hear of %s of a stranger', async (_what, packet) => {
    const { pc, channel, heard } = await connected()
    expect(await sendAsStranger(pc, packet)).toEqual([])
    expect(pc.dtlsTransports[0]?.state).toBe('connected')
    channel.send('still there')
    await vi.waitFor(() => expect(heard).toEqual(['still there']), { timeout: 5_000 })
  })
})
