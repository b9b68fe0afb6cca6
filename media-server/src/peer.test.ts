import { describe, expect, test } from 'vitest'
import { withTransportFeedback } from './peer.ts'

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
