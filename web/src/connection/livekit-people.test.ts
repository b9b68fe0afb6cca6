import { LocalVideoTrack, type Room, Track } from 'livekit-client'
import { describe, expect, test } from 'vitest'
import { presentPeople } from './livekit-people.ts'

/** A room of the client library with one other person whose camera is on. */
function roomWith(streamState: Track.StreamState): Room {
  const mediaStreamTrack = { id: 'camera', getSettings: () => ({}) }
  const videoTrack = { sid: 'TR_VC', mediaStreamTrack, streamState }
  const panelist = {
    identity: 'panelist',
    name: '山田',
    metadata: '{"role":"panelist"}',
    isLocal: false,
    isMicrophoneEnabled: true,
    getTrackPublication: () => ({ trackSid: 'TR_VC', isMuted: false, videoTrack }),
  }
  return {
    remoteParticipants: new Map([['panelist', panelist]]),
    localParticipant: { permissions: { canPublish: false } },
  } as unknown as Room
}

const pictureIn = (room: Room) => presentPeople(room)[0]?.picture?.id

describe('the video of somebody', () => {
  test.each([
    [Track.StreamState.Active, false],
    [Track.StreamState.Paused, true],
  ])(
    'that is %s at the media server is paused by the network: %s',
    (streamState, isPausedByNetwork) => {
      const [panelist] = presentPeople(roomWith(streamState))
      expect(panelist).toMatchObject({
        role: 'panelist',
        isMuted: false,
        picture: { isPausedByNetwork },
      })
    },
  )
})

test('a video on another connection is a different picture, whatever its ids are', () => {
  const before = roomWith(Track.StreamState.Active)
  const after = roomWith(Track.StreamState.Active)
  expect(pictureIn(before)).toBe(pictureIn(before))
  expect(pictureIn(after)).not.toBe(pictureIn(before))
})

describe('the own video', () => {
  test.each([
    ['user', true],
    ['environment', false],
  ])(
    'of a camera that faces its %s is a mirror: %s, also when the page draws it',
    (facingMode, isMirrored) => {
      const videoTrack = Object.assign(
        Object.create(LocalVideoTrack.prototype) as LocalVideoTrack,
        {
          processor: { processedTrack: { id: 'drawn', getSettings: () => ({}) } },
          getSourceTrackSettings: () => ({ facingMode }),
        },
      )
      const me = {
        isLocal: true,
        getTrackPublication: () => ({ trackSid: 'TR_VC', isMuted: false, videoTrack }),
      }
      const room = { remoteParticipants: new Map(), localParticipant: me } as unknown as Room
      expect(presentPeople(room)).toMatchObject([{ picture: { isMirrored } }])
    },
  )
})
