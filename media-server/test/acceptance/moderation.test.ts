import { DataPacket_Kind } from 'livekit-server-sdk'
import { describe, expect } from 'vitest'
import { test } from './harness/fixtures.ts'
import { until } from './harness/until.ts'

describe('the server', () => {
  test('removes a participant, who learns why', async ({ join, api, room }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    await api.removeParticipant(room, 'alice')

    await alice.sees('disconnected 4') // PARTICIPANT_REMOVED
    await bob.sees('participantDisconnected alice')
    expect((await api.listParticipants(room)).map(({ identity }) => identity)).toEqual(['bob'])
    expect(await alice.run(({ room }) => room.state)).toBe('disconnected')
  })

  test('deletes a room, and everybody in it learns why', async ({ join, api, room }) => {
    const [alice, bob] = await Promise.all([join('alice'), join('bob')])
    await api.deleteRoom(room)

    await alice.sees('disconnected 5') // ROOM_DELETED
    await bob.sees('disconnected 5')
    expect(await api.listRooms([room])).toEqual([])
  })

  test('takes the permission to publish and gives it back', async ({ join, api, room }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    await alice.run(({ room }) => room.localParticipant.setCameraEnabled(true))
    await bob.showsFrames('alice')

    await api.updateParticipant(room, 'alice', {
      permission: { canSubscribe: true, canPublish: false, canPublishData: true },
    })
    await alice.sees('permissionsChanged alice no-publish')
    await bob.sees('trackUnpublished alice camera')
    await until({
      fact: 'no tracks of alice',
      read: () => api.getParticipant(room, 'alice'),
      holds: ({ tracks }) => tracks.length === 0,
    })

    await api.updateParticipant(room, 'alice', {
      permission: { canSubscribe: true, canPublish: true, canPublishData: true },
    })
    await alice.sees('permissionsChanged alice publish')
    await alice.run(({ room }) => room.localParticipant.setMicrophoneEnabled(true))
    await bob.hears('alice')
  })

  test('takes the permission to subscribe and gives it back', async ({ join, api, room }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    await alice.run(({ room }) => room.localParticipant.setCameraEnabled(true))
    await bob.showsFrames('alice')

    await api.updateParticipant(room, 'bob', {
      permission: { canSubscribe: false, canPublish: true, canPublishData: true },
    })
    await bob.sees('trackUnsubscribed alice camera')
    await api.updateParticipant(room, 'bob', {
      permission: { canSubscribe: true, canPublish: true, canPublishData: true },
    })
    await bob.until('subscribed', ({ remote }) => remote('alice', 'camera').track !== undefined)
  })

  // As observers wait for consent.
  test('gives the permission to subscribe to a hidden participant who came without it', async ({
    join,
    api,
    room,
  }) => {
    const alice = await join('alice')
    await alice.run(({ room }) => room.localParticipant.setCameraEnabled(true))
    const grant = { hidden: true, canPublish: false, canSubscribe: false }
    const bob = await join('bob', { kind: 'agent', grant })
    await until({
      fact: 'bob is active',
      read: () => api.getParticipant(room, 'bob'),
      // ParticipantInfo_State.ACTIVE
      holds: ({ state }) => state.valueOf() === 2,
    })
    expect(await bob.run(({ remote }) => remote('alice', 'camera').track !== undefined)).toBe(false)

    await api.updateParticipant(room, 'bob', {
      permission: { canSubscribe: true, canPublish: false, canPublishData: false, hidden: true },
    })
    await bob.showsFrames('alice')
    await api.updateParticipant(room, 'bob', {
      permission: { canSubscribe: false, canPublish: false, canPublishData: false, hidden: true },
    })
    await bob.sees('trackUnsubscribed alice camera')
  })

  test('renames a participant and changes its metadata and attributes', async ({
    join,
    api,
    room,
  }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    const updated = await api.updateParticipant(room, 'alice', {
      name: 'Alice',
      metadata: '{"role":"panelist"}',
      attributes: { seat: '4' },
    })

    expect(updated).toMatchObject({ name: 'Alice', metadata: '{"role":"panelist"}' })
    await bob.sees('nameChanged alice Alice')
    await bob.sees('metadataChanged alice {"role":"panelist"}')
    await alice.sees('attributesChanged alice {"seat":"4"}')
  })

  test('mutes a track, but does not unmute it', async ({ join, api, room }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    await alice.run(({ room }) => room.localParticipant.setMicrophoneEnabled(true))
    await bob.hears('alice')
    const sid = await alice.run(({ local }) => local('microphone').trackSid)

    const muted = await api.mutePublishedTrack(room, 'alice', sid, true)
    expect(muted).toMatchObject({ sid, muted: true })
    await alice.sees('trackMuted alice microphone')
    await bob.sees('trackMuted alice microphone')

    await expect(api.mutePublishedTrack(room, 'alice', sid, false)).rejects.toMatchObject({
      status: 412,
      code: 'failed_precondition',
    })
    await alice.run(({ room }) => room.localParticipant.setMicrophoneEnabled(true))
    await bob.sees('trackUnmuted alice microphone')
  })

  test('changes the metadata of the room for everybody', async ({ join, api, room }) => {
    const alice = await join('alice')
    const changed = await api.updateRoomMetadata(room, '{"stage":"open"}')

    expect(changed.metadata).toBe('{"stage":"open"}')
    await alice.sees('roomMetadataChanged {"stage":"open"}')
    const late = await join('late')
    expect(await late.run(({ room }) => room.metadata)).toBe('{"stage":"open"}')
  })

  test('subscribes and unsubscribes a participant', async ({ join, api, room }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    await alice.run(({ room }) => room.localParticipant.setCameraEnabled(true))
    await bob.showsFrames('alice')
    const sid = await alice.run(({ local }) => local('camera').trackSid)

    await api.updateSubscriptions(room, 'bob', [sid], false)
    await bob.sees('trackUnsubscribed alice camera')
    await api.updateSubscriptions(room, 'bob', [sid], true)
    await bob.until('subscribed', ({ remote }) => remote('alice', 'camera').track !== undefined)
    await bob.showsFrames('alice')
  })
})

describe('data from the server', () => {
  test('reaches the named identities only, with its topic and without a sender', async ({
    join,
    api,
    room,
  }) => {
    const [alice, bob] = await Promise.all([join('alice'), join('bob')])
    const send = (text: string, destinationIdentities: string[]): Promise<void> =>
      api.sendData(room, new TextEncoder().encode(text), DataPacket_Kind.RELIABLE, {
        destinationIdentities,
        topic: 'chat',
      })
    await send('for-alice', ['alice', 'nobody'])
    await send('for-both', [])

    await alice.sees('data - reliable chat for-alice')
    await alice.sees('data - reliable chat for-both')
    await bob.sees('data - reliable chat for-both')
    expect((await bob.seen()).filter((line) => line.includes('for-alice'))).toEqual([])
  })

  test('sent lossy arrives too', async ({ join, api, room }) => {
    const alice = await join('alice')
    await until({
      fact: 'a hint has arrived',
      // Again and again: what is lossy is lost on a channel that is still opening.
      async read() {
        await api.sendData(room, new TextEncoder().encode('hint'), DataPacket_Kind.LOSSY, {
          topic: 'hints',
        })
        return alice.seen()
      },
      holds: (lines) => lines.includes('data - lossy hints hint'),
    })
  })
})

test('speaking and silence are reported to the others and to the speaker', async ({ join }) => {
  const alice = await join('alice')
  const bob = await join('bob')
  await alice.run(async ({ livekit, room, createTone }) => {
    await room.localParticipant.publishTrack(createTone(), {
      source: livekit.Track.Source.Microphone,
    })
  })

  await bob.sees('activeSpeakers alice')
  await alice.sees('activeSpeakers alice')
  await alice.run(({ local }) => local('microphone').mute())
  await bob.until('silence', ({ room }) => room.activeSpeakers.length === 0)
})
