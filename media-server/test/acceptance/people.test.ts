import { describe, expect } from 'vitest'
import { test } from './harness/fixtures.ts'
import { openSignal } from './harness/signal-client.ts'
import { until } from './harness/until.ts'

/** As observers join. */
const HIDDEN = { kind: 'agent', grant: { hidden: true, canPublish: false } }

describe('a participant with the grant to update itself', () => {
  test('changes its name, metadata and attributes for everybody', async ({ join, api, room }) => {
    const alice = await join('alice', { grant: { canUpdateOwnMetadata: true } })
    const bob = await join('bob')
    await alice.run(async ({ room: { localParticipant } }) => {
      await localParticipant.setName('Alice')
      await localParticipant.setMetadata('{"hand":"up"}')
      await localParticipant.setAttributes({ mood: 'calm' })
    })

    await bob.sees('nameChanged alice Alice')
    await bob.sees('metadataChanged alice {"hand":"up"}')
    await bob.sees('attributesChanged alice {"mood":"calm"}')
    expect(await api.getParticipant(room, 'alice')).toMatchObject({
      name: 'Alice',
      metadata: '{"hand":"up"}',
      attributes: { mood: 'calm' },
    })
  })
})

test('a participant without the grant is refused its own change', async ({ join, api, room }) => {
  const alice = await join('alice', { name: 'Alice' })

  const outcomes = await alice.run(async ({ room: { localParticipant } }) => {
    const settled = await Promise.allSettled([
      localParticipant.setName('Somebody else'),
      localParticipant.setMetadata('{"role":"moderator"}'),
    ])
    return settled.map((one) => (one.status === 'rejected' ? String(one.reason) : 'changed'))
  })
  expect(outcomes).toEqual([
    expect.stringContaining('SignalRequestError'),
    expect.stringContaining('SignalRequestError'),
  ])
  expect(await api.getParticipant(room, 'alice')).toMatchObject({ name: 'Alice', metadata: '' })
})

describe('a hidden participant', () => {
  test('receives everybody and is seen by nobody, but is listed to the server', async ({
    join,
    api,
    room,
  }) => {
    const alice = await join('alice')
    const observer = await join('observer', HIDDEN)
    await alice.run(({ room }) => room.localParticipant.setCameraEnabled(true))

    await observer.showsFrames('alice')
    const late = await join('late')
    // Known to the one who came before and to the one who comes after: nobody.
    await alice.sees('participantConnected late')
    const others = (client: typeof alice): Promise<string[]> =>
      client.run(({ room }) => [...room.remoteParticipants.keys()])
    expect(await others(alice)).toEqual(['late'])
    expect(await others(late)).toEqual(['alice'])
    expect((await alice.seen()).filter((line) => line.includes('observer'))).toEqual([])

    const listed = await api.listParticipants(room)
    expect(listed.map(({ identity }) => identity).toSorted()).toEqual(['alice', 'late', 'observer'])
    expect(listed.find(({ identity }) => identity === 'observer')?.permission?.hidden).toBe(true)
  })

  test('leaves without notice to others', async ({ join, api, room }) => {
    const alice = await join('alice')
    const observer = await join('observer', HIDDEN)
    await observer.run(({ room }) => room.disconnect())
    await until({
      fact: 'the observer is gone',
      read: () => api.listParticipants(room),
      holds: (listed) => listed.length === 1,
    })
    await join('late')

    await alice.sees('participantConnected late')
    expect((await alice.seen()).filter((line) => line.includes('observer'))).toEqual([])
  })

  describe.each(['agent', 'standard'])('of the kind %s', (kind) => {
    test('is not counted in what others receive: joining, resuming, or in room updates', async ({
      stage,
      token,
      api,
      room,
      skip,
    }) => {
      skip(!stage.isEmbedded && kind === 'standard', 'livekit-server counts who is hidden')
      const enter = async (identity: string, request = {}): ReturnType<typeof openSignal> =>
        openSignal(stage.url, { token: await token(identity, request) })
      const hidden = { ...HIDDEN, kind }
      const alice = await enter('alice')
      await enter('observer-1', hidden)
      await enter('observer-2', hidden)
      const late = await enter('late')

      await api.updateRoomMetadata(room, 'news')
      await Promise.all([alice.sees('news'), late.sees('news')])
      const again = await openSignal(stage.url, {
        token: await token('late'),
        resumedSid: late.sid,
      })
      await again.sees('news')

      const received = [alice, late, again].flatMap(({ rooms }) => rooms)
      expect(Math.max(...received.map(({ numParticipants }) => numParticipants))).toBe(2)
      expect(received.map(({ numPublishers }) => numPublishers)).toEqual(received.map(() => 0))
      expect(await api.listParticipants(room)).toHaveLength(4)
    })
  })
})

describe('an identity that connects a second time', () => {
  test('takes the place of the first, and others keep one participant', async ({
    join,
    api,
    room,
  }) => {
    const bob = await join('bob')
    const first = await join('alice')
    const firstSid = await first.sid()
    await bob.sees('participantConnected alice')

    const second = await join('alice')
    await first.sees('disconnected 2') // DUPLICATE_IDENTITY
    await second.run(({ room }) => room.localParticipant.setMicrophoneEnabled(true))
    await bob.hears('alice')

    const secondSid = await second.sid()
    expect(secondSid).not.toBe(firstSid)
    expect(await bob.run(({ room }) => [...room.remoteParticipants.keys()])).toEqual(['alice'])
    expect((await api.getParticipant(room, 'alice')).sid).toBe(secondSid)
    expect(await second.run(({ room }) => room.state)).toBe('connected')
  })
})

test('a participant that leaves is gone for the others', async ({ join, api, room }) => {
  const alice = await join('alice')
  const bob = await join('bob')
  await alice.run(({ room }) => room.disconnect())

  await bob.sees('participantDisconnected alice')
  await alice.sees('disconnected 1') // CLIENT_INITIATED
  expect((await api.listParticipants(room)).map(({ identity }) => identity)).toEqual(['bob'])
})
