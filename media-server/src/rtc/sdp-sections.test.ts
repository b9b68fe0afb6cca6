import { expect, test } from 'vitest'
import { parseOfferedSections } from './sdp-sections.ts'

const OFFER = [
  'v=0',
  'o=- 1 2 IN IP4 127.0.0.1',
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  'a=mid:0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'a=mid:1',
  'a=sendonly',
  'a=msid:- microphone-id',
  'm=video 9 UDP/TLS/RTP/SAVPF 96',
  'a=mid:2',
  'a=inactive',
  'a=msid:stream camera-id',
  'm=video 0 UDP/TLS/RTP/SAVPF 96',
  'a=mid:3',
  'a=sendonly',
  '',
].join('\r\n')

test('an offer names the sections that send, and the track of the client for each', () => {
  expect(parseOfferedSections(OFFER)).toEqual([
    { mid: '1', kind: 'audio', isSending: true, trackId: 'microphone-id' },
    { mid: '2', kind: 'video', isSending: false, trackId: 'camera-id' },
    { mid: '3', kind: 'video', isSending: false, trackId: '' },
  ])
})
