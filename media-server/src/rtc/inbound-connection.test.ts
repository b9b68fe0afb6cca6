import { TrackInfo, TrackType } from '@livekit/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { InboundConnection } from './inbound-connection.ts'
import { InboundTrack } from './inbound-track.ts'

test('a track that is withdrawn holds nothing of its connection any more', () => {
  const hooks = { log: () => {}, onActivity: () => {}, onConnected: () => {} }
  const publisher = new InboundConnection({}, { ...hooks, onDataChannel: () => {} })
  onTestFinished(() => publisher.close())
  const track = new InboundTrack(new TrackInfo({ sid: 'TR_VC', type: TrackType.VIDEO }))
  publisher.attach('0', track)
  expect(track.origin).toMatchObject({ mid: '0' })
  publisher.detach(track)
  expect(publisher.trackAt('0')).toBeUndefined()
  expect(track.origin).toBeUndefined()
})
