import { expect, test } from 'vitest'
import { checkCodecs } from './codecs-check.ts'

const OF_LIVEKIT = ['audio/opus', 'audio/red', 'video/VP8', 'video/H264', 'video/VP9', 'video/rtx']

test('a codec that clients may send and no recorder takes is to be looked at', () => {
  const found = checkCodecs(OF_LIVEKIT, { fromCaptures: true })
  expect(found).toMatchObject({
    result: 'warn',
    detail: expect.stringContaining('video/H264, video/VP9,'),
  })
})

test.each([
  ['nothing else may be sent', ['audio/opus', 'audio/RED', 'video/vp8', 'video/rtx'], true],
  ['LiveKit Egress records, which takes all of them', OF_LIVEKIT, false],
])('nothing is to be looked at where %s', (_, publishCodecs, fromCaptures) => {
  expect(checkCodecs(publishCodecs, { fromCaptures }).result).toBe('ok')
})

test.each([
  ['video/vp8', ['audio/opus', 'audio/red', 'video/H264']],
  ['audio/opus', ['audio/red', 'video/VP8', 'video/rtx']],
])('fails where LiveKit takes no %s, whoever records', (missing, publishCodecs) => {
  for (const fromCaptures of [true, false]) {
    expect(checkCodecs(publishCodecs, { fromCaptures })).toMatchObject({
      result: 'fail',
      detail: expect.stringContaining(missing),
      mend: expect.stringContaining('room.enabled_codecs'),
    })
  }
})
