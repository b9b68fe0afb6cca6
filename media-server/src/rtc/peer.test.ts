import { describe, expect, onTestFinished, test } from 'vitest'
import { RTCPeerConnection } from 'werift'
import { InboundConnection } from './inbound-connection.ts'
import { withTransportFeedback, withUsableCandidates } from './peer.ts'

const ANSWER = [
  'v=0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'a=rtpmap:111 opus/48000/2',
  'm=video 9 UDP/TLS/RTP/SAVPF 96 97',
  'a=rtpmap:96 VP8/90000',
  'a=rtcp-fb:96 nack',
  'a=rtpmap:97 rtx/90000',
  '',
].join('\r\n')

const AUDIO_OFFER = 'm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=rtcp-fb:111 transport-cc\r\n'
const VIDEO_OFFER = 'm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=rtcp-fb:96 transport-cc\r\n'
const WITHOUT = 'a=rtcp-fb:96 goog-remb\r\n'

describe('the answer to a publisher', () => {
  test('promises feedback for the transport of audio and video', () => {
    expect(withTransportFeedback(ANSWER, `v=0\r\n${AUDIO_OFFER}${VIDEO_OFFER}`)).toBe(
      ANSWER.replace('opus/48000/2', 'opus/48000/2\r\na=rtcp-fb:111 transport-cc').replace(
        'VP8/90000',
        'VP8/90000\r\na=rtcp-fb:96 transport-cc',
      ),
    )
  })

  test('promises it only where it was offered', () => {
    const offer = `v=0\r\n${AUDIO_OFFER.replace(/a=.*/, WITHOUT)}${VIDEO_OFFER}`
    expect(withTransportFeedback(ANSWER, offer)).toBe(
      ANSWER.replace('VP8/90000', 'VP8/90000\r\na=rtcp-fb:96 transport-cc'),
    )
    expect(withTransportFeedback(ANSWER, 'v=0\r\n')).toBe(ANSWER)
  })
})

async function answerTo(setup: string): Promise<string> {
  const hooks = { log: () => {}, onActivity: () => {}, onConnected: () => {} }
  const publisher = new InboundConnection({}, { ...hooks, onDataChannel: () => {} })
  const client = new RTCPeerConnection({ iceServers: [] })
  onTestFinished(async () => {
    await client.close()
    await publisher.close()
  })
  client.createDataChannel('_reliable')
  await client.setLocalDescription(await client.createOffer())
  const offer = client.localDescription?.sdp ?? ''
  return (await publisher.answer(offer.replaceAll('a=setup:actpass', `a=setup:${setup}`))).sdp
}

const line = (at: number) => `a=candidate:${at} 1 udp 1 10.0.0.1 ${1024 + at} typ host\r\n`

test('of the candidates of a description, the first hundred are used, each once', () => {
  const lines = Array.from({ length: 300 }, (_, at) => line(Math.floor(at / 2))).join('')
  const used = withUsableCandidates(`m=audio 9\r\n${lines}a=end-of-candidates\r\n`)
  const first = Array.from({ length: 100 }, (_, at) => line(at)).join('')
  expect(used).toBe(`m=audio 9\r\n${first}a=end-of-candidates\r\n`)
})

describe('DTLS of a connection that is answered', () => {
  test.each(['actpass', 'active'])('is begun by the client that offers %s', async (setup) => {
    expect(await answerTo(setup)).toContain('a=setup:passive')
  })

  test('is begun by the server where the client wants it so', async () => {
    expect(await answerTo('passive')).toContain('a=setup:active')
  })
})
