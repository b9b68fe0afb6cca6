import { AddTrackRequest, ParticipantPermission, TrackSource, TrackType } from '@livekit/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { WebhookSender } from '../api/webhooks.ts'
import { AwakeClock } from '../lib/awake-clock.ts'
import { silentLog } from '../lib/log.ts'
import type { OfferedSection } from '../rtc/sdp-sections.ts'
import { Participant } from './participant.ts'
import { addTrack, applySections, unpublishForbidden } from './publishing.ts'
import { Rooms } from './rooms.ts'

const CAMERA = new AddTrackRequest({
  cid: 'camera',
  type: TrackType.VIDEO,
  source: TrackSource.CAMERA,
})

/** Somebody who is there, in a room. */
function enter() {
  const awake = new AwakeClock()
  const webhooks = new WebhookSender(undefined, silentLog)
  const context = { apiKeys: {}, rtc: {}, log: silentLog, webhooks, awake, joinTimeoutMs: 15_000 }
  const rooms = new Rooms(context)
  onTestFinished(() => rooms.close())
  const described = { identity: 'alice', name: '', metadata: '', attributes: {}, kind: '' }
  const token = { apiKey: 'key', tokenId: 'token', issuedAtSec: undefined, video: {} }
  const client = { isAutoSubscribing: true, canBePaused: false, capabilities: [] }
  const hooks = { onConnected: () => {}, onDataChannel: () => {} }
  const participant = new Participant(
    { ...described, ...token },
    { ...client, protocol: 16, clientProtocol: 0 },
    { rtc: {}, log: silentLog, awake, hooks },
  )
  const room = rooms.create('room')
  room.enter(participant)
  room.activate(participant)
  return { room, participant }
}

const section = (mid: string, isSending: boolean): OfferedSection => ({
  mid,
  kind: 'video',
  isSending,
  trackId: CAMERA.cid,
})

test('a camera that is allowed again is published where the client sends it next', () => {
  const { room, participant } = enter()
  addTrack(room, participant, CAMERA)
  applySections(room, participant, [section('0', true)])
  expect(participant.announcedTracks).toMatchObject([{ info: { mid: '0' } }])

  participant.permission = new ParticipantPermission()
  unpublishForbidden(room, participant)
  expect(participant.announcedTracks).toEqual([])

  // Before the client has offered that it stopped: the same camera again, in a section of its own.
  participant.permission = new ParticipantPermission({ canPublish: true })
  addTrack(room, participant, CAMERA)
  applySections(room, participant, [section('0', false), section('1', true)])
  expect(participant.announcedTracks).toMatchObject([{ info: { mid: '1' } }])
})
