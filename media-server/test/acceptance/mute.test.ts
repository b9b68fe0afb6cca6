import { describe, expect } from 'vitest'
import { test } from './harness/fixtures.ts'

describe('a published track', () => {
  test('is muted and unmuted for everybody, and its media stops and comes back', async ({
    join,
    api,
    room,
  }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    await alice.run(({ room }) => room.localParticipant.setCameraEnabled(true))
    await bob.showsFrames('alice')

    await alice.run(({ local }) => local('camera').mute())
    await bob.sees('trackMuted alice camera')
    await bob.until('the publication is muted', ({ remote }) => remote('alice', 'camera').isMuted)
    expect((await api.getParticipant(room, 'alice')).tracks).toMatchObject([{ muted: true }])

    await alice.run(({ local }) => local('camera').unmute())
    await bob.sees('trackUnmuted alice camera')
    await bob.showsFrames('alice')
    expect((await api.getParticipant(room, 'alice')).tracks).toMatchObject([{ muted: false }])
  })

  test('disappears when it is unpublished and is a new one when it is published again', async ({
    join,
    api,
    room,
  }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    await alice.run(({ room }) => room.localParticipant.setCameraEnabled(true))
    await bob.showsFrames('alice')
    const firstSid = await bob.run(({ remote }) => remote('alice', 'camera').trackSid)

    await alice.run(async ({ room, local }) => {
      const { track } = local('camera')
      if (track !== undefined) await room.localParticipant.unpublishTrack(track)
    })
    await bob.sees('trackUnsubscribed alice camera')
    await bob.sees('trackUnpublished alice camera')
    expect((await api.getParticipant(room, 'alice')).tracks).toEqual([])

    await alice.run(({ room }) => room.localParticipant.setCameraEnabled(true))
    await bob.until('a new camera', ({ hasRemote }) => hasRemote('alice', 'camera'))
    await bob.showsFrames('alice')
    expect(await bob.run(({ remote }) => remote('alice', 'camera').trackSid)).not.toBe(firstSid)
  })

  test('shows another video after its device is switched, and stays the same track', async ({
    join,
  }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    await alice.run(async ({ livekit, room, createCanvasTrack }) => {
      await room.localParticipant.publishTrack(createCanvasTrack('rgb(0, 0, 255)').track, {
        source: livekit.Track.Source.Camera,
        simulcast: false,
      })
    })
    await bob.until('a blue picture', ({ colourOf, framesOf }) => {
      return framesOf('alice', 'camera') > 0 && colourOf('alice', 'camera')[2] > 180
    })
    const sid = await bob.run(({ remote }) => remote('alice', 'camera').trackSid)

    await alice.run(({ local, createCanvasTrack }) =>
      local('camera').videoTrack?.replaceTrack(createCanvasTrack('rgb(255, 0, 0)').track, true),
    )
    await bob.until('a red picture', ({ colourOf }) => {
      const [red, , blue] = colourOf('alice', 'camera')
      return red > 180 && blue < 80
    })
    expect(await bob.run(({ remote }) => remote('alice', 'camera').trackSid)).toBe(sid)
  })
})
