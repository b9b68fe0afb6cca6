import { DisconnectReason, RoomEvent } from '@livekit/rtc-node'
import { describe, expect } from 'vitest'
import { firstFrame, publishAudio, publishVideo, test } from './harness/rtc-node-fixtures.ts'
import { until } from './harness/until.ts'

describe('@livekit/rtc-node', () => {
  test('connects and knows who is there', async ({ enter, room }) => {
    const alice = await enter('alice')
    const bob = await enter('bob')

    expect(bob.name).toBe(room)
    expect(bob.isConnected).toBe(true)
    expect([...bob.remoteParticipants.keys()]).toEqual(['alice'])
    await until({
      fact: 'alice knows bob',
      read: () => [...alice.remoteParticipants.keys()],
      holds: (identities) => identities.includes('bob'),
    })
  })

  test('is refused with a token of another secret', async ({ enter }) => {
    await expect(enter('alice', 'another-secret-of-at-least-32-characters')).rejects.toThrow(/401/)
  })

  test('publishes audio and video, and receives them', async ({ enter, onTestFinished }) => {
    const alice = await enter('alice')
    const bob = await enter('bob')
    const sound = firstFrame(bob, 'audio')
    const picture = firstFrame(bob, 'video')
    onTestFinished(await publishAudio(alice))
    onTestFinished(await publishVideo(alice))

    expect(await sound).toMatchObject({ identity: 'alice' })
    expect(await picture).toMatchObject({ identity: 'alice', width: 320, height: 240 })
  })

  test('receives the active speakers', async ({ enter, onTestFinished }) => {
    const alice = await enter('alice')
    const bob = await enter('bob')
    const speaker = new Promise<string>((resolve) => {
      bob.on(RoomEvent.ActiveSpeakersChanged, (speakers) => {
        if (speakers[0] !== undefined) resolve(speakers[0].identity)
      })
    })
    onTestFinished(await publishAudio(alice))

    expect(await speaker).toBe('alice')
  })

  test('exchanges audio and video with a browser', async ({ enter, join, onTestFinished }) => {
    const robot = await enter('robot')
    const picture = firstFrame(robot, 'video')
    const sound = firstFrame(robot, 'audio')
    const alice = await join('alice')
    await alice.run(({ room }) => room.localParticipant.enableCameraAndMicrophone())
    expect(await picture).toMatchObject({ identity: 'alice' })
    expect(await sound).toMatchObject({ identity: 'alice' })

    onTestFinished(await publishAudio(robot))
    onTestFinished(await publishVideo(robot))
    await alice.showsFrames('robot')
    await alice.hears('robot')
  })

  test('sends and receives data, texts and calls', async ({ enter }) => {
    const alice = await enter('alice')
    const bob = await enter('bob')
    const data = new Promise((resolve) => {
      bob.on(RoomEvent.DataReceived, (...[payload, participant, , topic]) => {
        resolve([new TextDecoder().decode(payload), participant?.identity, topic])
      })
    })
    const text = new Promise<string>((resolve) => {
      bob.registerTextStreamHandler('letters', (reader) => {
        void reader.readAll().then(resolve)
      })
    })
    bob.localParticipant?.registerRpcMethod('greet', async ({ callerIdentity, payload }) => {
      return `${payload} ${callerIdentity}`
    })

    await alice.localParticipant?.publishData(new TextEncoder().encode('hello'), {
      reliable: true,
      topic: 'greeting',
    })
    expect(await data).toEqual(['hello', 'alice', 'greeting'])
    const letter = 'x'.repeat(50_000)
    await alice.localParticipant?.sendText(letter, { topic: 'letters' })
    expect(await text).toBe(letter)
    const answer = await alice.localParticipant?.performRpc({
      destinationIdentity: 'bob',
      method: 'greet',
      payload: 'hello',
    })
    expect(answer).toBe('hello alice')
  })

  test('takes the place of an earlier connection of the same identity', async ({ enter }) => {
    const first = await enter('alice')
    const reason = new Promise<DisconnectReason>((resolve) => {
      first.on(RoomEvent.Disconnected, resolve)
    })
    const second = await enter('alice')

    expect(await reason).toBe(DisconnectReason.DUPLICATE_IDENTITY)
    expect(second.isConnected).toBe(true)
  })

  test('learns that it was removed, and that the room was deleted', async ({
    enter,
    api,
    room,
  }) => {
    const reasonOf = (client: Awaited<ReturnType<typeof enter>>): Promise<DisconnectReason> =>
      new Promise((resolve) => {
        client.on(RoomEvent.Disconnected, resolve)
      })
    const removed = reasonOf(await enter('alice'))
    const deleted = reasonOf(await enter('bob'))
    await api.removeParticipant(room, 'alice')
    expect(await removed).toBe(DisconnectReason.PARTICIPANT_REMOVED)
    await api.deleteRoom(room)
    expect(await deleted).toBe(DisconnectReason.ROOM_DELETED)
  })
})
