import { describe, expect } from 'vitest'
import { test } from './harness/fixtures.ts'

describe('a subscriber', () => {
  test('unsubscribes from a track and subscribes again', async ({ join }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    await alice.run(({ room }) => room.localParticipant.setCameraEnabled(true))
    await bob.showsFrames('alice')

    await bob.run(({ remote }) => remote('alice', 'camera').setSubscribed(false))
    await bob.sees('trackUnsubscribed alice camera')
    await bob.run(({ remote }) => remote('alice', 'camera').setSubscribed(true))
    await bob.until('subscribed', ({ remote }) => remote('alice', 'camera').isSubscribed)
    await bob.showsFrames('alice')
  })

  test('who joins without automatic subscription receives only what it asks for', async ({
    join,
  }) => {
    const alice = await join('alice')
    await alice.run(({ room }) => room.localParticipant.enableCameraAndMicrophone())
    const bob = await join('bob', { connect: { autoSubscribe: false } })
    await bob.until('both announced', ({ hasRemote }) => {
      return hasRemote('alice', 'camera') && hasRemote('alice', 'microphone')
    })

    await bob.run(({ remote }) => remote('alice', 'camera').setSubscribed(true))
    await bob.showsFrames('alice')
    expect(await bob.run(({ remote }) => remote('alice', 'microphone').isSubscribed)).toBe(false)
  })

  test('receives no frames of a track it disabled, until it enables it again', async ({ join }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    await alice.run(({ room }) => room.localParticipant.setCameraEnabled(true))
    await bob.showsFrames('alice')

    await bob.run(({ remote }) => remote('alice', 'camera').setEnabled(false))
    await bob.until('no more frames', ({ isStill }) => isStill('alice', 'camera'))
    await bob.run(({ remote }) => remote('alice', 'camera').setEnabled(true))
    await bob.showsFrames('alice')
  })

  test('chooses between the layers of a camera', async ({ join }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    await alice.run(async ({ livekit, room, createCanvasTrack }) => {
      const { track } = createCanvasTrack('rgb(0, 128, 0)', { width: 640, height: 360 })
      await room.localParticipant.publishTrack(track, {
        source: livekit.Track.Source.Camera,
        simulcast: true,
        // Or a browser that gets little processor stops to send the high layer.
        degradationPreference: 'maintain-resolution',
        videoEncoding: { maxBitrate: 300_000, maxFramerate: 10 },
      })
    })
    await bob.until('the high layer', ({ hasRemote, remote, videoOf }) => {
      return (
        hasRemote('alice', 'camera') &&
        remote('alice', 'camera').track !== undefined &&
        videoOf('alice', 'camera').videoWidth === 640
      )
    })

    await bob.run(({ livekit, remote }) =>
      remote('alice', 'camera').setVideoQuality(livekit.VideoQuality.LOW),
    )
    await bob.until('the low layer', ({ videoOf }) => videoOf('alice', 'camera').videoWidth === 320)
    await bob.showsFrames('alice')
    await bob.run(({ livekit, remote }) =>
      remote('alice', 'camera').setVideoQuality(livekit.VideoQuality.HIGH),
    )
    await bob.until('the high layer again', ({ videoOf }) => {
      return videoOf('alice', 'camera').videoWidth === 640
    })
    await bob.showsFrames('alice')
  })

  test('with adaptiveStream receives nothing while hidden, and frames while shown', async ({
    join,
  }) => {
    const alice = await join('alice')
    const bob = await join('bob', { options: { adaptiveStream: true } })
    await alice.run(({ room }) => room.localParticipant.setCameraEnabled(true))
    await bob.showsFrames('alice')

    await bob.run(({ videoOf }) => {
      videoOf('alice', 'camera').style.display = 'none'
    })
    await bob.until('no more frames', ({ isStill }) => isStill('alice', 'camera'))
    await bob.run(({ videoOf }) => {
      videoOf('alice', 'camera').style.display = ''
    })
    await bob.showsFrames('alice')
  })
})
