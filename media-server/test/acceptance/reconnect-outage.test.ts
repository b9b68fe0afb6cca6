import { describe, expect } from 'vitest'
import { test } from './harness/fixtures.ts'
import { startTcpProxy } from './harness/tcp-proxy.ts'
import { expectWorking, publishBoth } from './harness/working-pair.ts'

const OUTAGE_MS = 5_000

describe('a client that reconnects its signalling', () => {
  test(`survives ${OUTAGE_MS / 1000} seconds without its TCP connection as the same participant`, async ({
    join,
    stage,
    onTestFinished,
  }) => {
    const proxy = await startTcpProxy(stage.url)
    onTestFinished(() => proxy.close())
    const alice = await join('alice', { url: proxy.url })
    const bob = await join('bob')
    await publishBoth(alice)
    await bob.showsFrames('alice')
    const sid = await alice.sid()

    proxy.outage(OUTAGE_MS)
    await alice.sees('signalReconnecting')
    // Media does not pass through the lost connection.
    await bob.showsFrames('alice')
    await alice.sees('reconnected')
    await expectWorking(alice, bob)
    expect(await alice.sid()).toBe(sid)
  })

  test('learns what it missed', async ({ join, stage, api, room, onTestFinished }) => {
    const proxy = await startTcpProxy(stage.url)
    onTestFinished(() => proxy.close())
    const alice = await join('alice', { url: proxy.url })
    const bob = await join('bob')
    await alice.sees('participantConnected bob')

    proxy.outage(2_000)
    await alice.sees('signalReconnecting')
    await bob.run(({ room }) => room.disconnect())
    await join('carol')
    await api.updateRoomMetadata(room, '{"while":"away"}')

    await alice.sees('reconnected')
    await alice.sees('participantConnected carol')
    await alice.until('bob is gone', ({ room }) => !room.remoteParticipants.has('bob'))
    await alice.sees('roomMetadataChanged {"while":"away"}')
  })
})

test('a client that starts over is a new participant of the same identity', async ({ join }) => {
  const alice = await join('alice')
  const bob = await join('bob')
  await publishBoth(alice)
  await bob.showsFrames('alice')
  const sid = await alice.sid()

  await alice.run(({ room }) => room.simulateScenario('full-reconnect'))
  await alice.sees('reconnected')
  await bob.until(
    'both tracks of the new one',
    ({ room, hasRemote, remote }, old) => {
      return (
        room.remoteParticipants.get('alice')?.sid !== old &&
        hasRemote('alice', 'camera') &&
        hasRemote('alice', 'microphone') &&
        remote('alice', 'camera').track !== undefined &&
        remote('alice', 'microphone').track !== undefined
      )
    },
    sid,
  )
  await expectWorking(alice, bob)
  expect(await alice.sid()).not.toBe(sid)
})

test('a client that is sent away for a shutdown does not come back', async ({
  join,
  api,
  room,
}) => {
  const alice = await join('alice')
  await alice.run(({ room }) => room.simulateScenario('server-leave'))

  await alice.sees('disconnected 3') // SERVER_SHUTDOWN
  expect(await api.listParticipants(room)).toEqual([])
})
