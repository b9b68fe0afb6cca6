import { TrackSource } from 'livekit-server-sdk'
import { describe, expect } from 'vitest'
import { test } from './harness/fixtures.ts'

describe('publishing', () => {
  test('a microphone and a camera in layers reach a person in the room and one who comes later', async ({
    join,
    api,
    room,
  }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    await alice.run(async ({ livekit, room, createCanvasTrack }) => {
      await room.localParticipant.setMicrophoneEnabled(true)
      const { track } = createCanvasTrack('rgb(0, 128, 0)', { width: 640, height: 360 })
      await room.localParticipant.publishTrack(track, {
        source: livekit.Track.Source.Camera,
        simulcast: true,
        videoCodec: 'vp8',
      })
    })

    await alice.sees('localTrackSubscribed alice camera')
    await alice.sees('localTrackSubscribed alice microphone')
    await bob.showsFrames('alice')
    await bob.hears('alice')

    const carol = await join('carol')
    await carol.showsFrames('alice')
    await carol.hears('alice')

    const { tracks } = await api.getParticipant(room, 'alice')
    const camera = tracks.find(({ mimeType }) => mimeType === 'video/VP8')
    expect(camera).toMatchObject({ width: 640, height: 360, muted: false })
    expect(camera?.layers).toHaveLength(2)
    expect(tracks.map(({ mimeType }) => mimeType.toLowerCase()).toSorted()).toEqual([
      expect.stringMatching(/^audio\/(opus|red)$/),
      'video/vp8',
    ])
  })

  test('a camera in one layer reaches the others', async ({ join }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    await alice.run(({ room }) =>
      room.localParticipant.setCameraEnabled(
        true,
        { resolution: { width: 320, height: 240, frameRate: 15 } },
        { simulcast: false },
      ),
    )

    await bob.showsFrames('alice')
  })

  test('a screen is its own track beside the camera', async ({ join }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    await alice.run(async ({ livekit, room, createCanvasTrack }) => {
      await room.localParticipant.setCameraEnabled(true)
      const { track } = createCanvasTrack('rgb(0, 0, 255)')
      await room.localParticipant.publishTrack(track, {
        source: livekit.Track.Source.ScreenShare,
        simulcast: false,
      })
    })

    await bob.showsFrames('alice', 'camera')
    await bob.showsFrames('alice', 'screen_share')
    await bob.until('the screen is blue', ({ colourOf }) => {
      const [red, green, blue] = colourOf('alice', 'screen_share')
      return blue > 180 && red < 80 && green < 80
    })
  })

  test('is refused by the client when the token may not publish', async ({ join, api, room }) => {
    const alice = await join('alice', { grant: { canPublish: false } })

    const outcome = await alice.run(({ room }) =>
      room.localParticipant.setMicrophoneEnabled(true).then(
        () => 'published',
        (error: Error) => error.name,
      ),
    )
    expect(outcome).not.toBe('published')
    expect((await api.getParticipant(room, 'alice')).tracks).toEqual([])
  })

  test('is limited to the sources of the token', async ({ join, api, room }) => {
    const alice = await join('alice', { grant: { canPublishSources: [TrackSource.MICROPHONE] } })
    const outcome = await alice.run(async ({ room }) => {
      await room.localParticipant.setMicrophoneEnabled(true)
      return room.localParticipant.setCameraEnabled(true).then(
        () => 'published',
        (error: Error) => error.name,
      )
    })

    expect(outcome).not.toBe('published')
    const { tracks } = await api.getParticipant(room, 'alice')
    expect(tracks.map(({ source }) => source)).toEqual([TrackSource.MICROPHONE])
  })
})
