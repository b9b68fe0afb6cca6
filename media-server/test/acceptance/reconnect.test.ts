import { describe, expect } from 'vitest'
import type { BrowserClient } from './harness/browser-client.ts'
import { test } from './harness/fixtures.ts'
import { startTcpProxy } from './harness/tcp-proxy.ts'

const OUTAGE_MS = 5_000

async function publishBoth(client: BrowserClient): Promise<void> {
  await client.run(({ room }) => room.localParticipant.enableCameraAndMicrophone())
}

/** Data travels both ways and pictures move, whatever happened to the connections before. */
async function expectWorking(alice: BrowserClient, bob: BrowserClient): Promise<void> {
  await bob.showsFrames('alice')
  await bob.hears('alice')
  for (const [from, to, name] of [
    [alice, bob, 'alice'],
    [bob, alice, 'bob'],
  ] as const) {
    await from.run(({ room }) =>
      room.localParticipant.publishData(new TextEncoder().encode('after'), { reliable: true }),
    )
    await to.sees(`data ${name} reliable - after`)
  }
}

describe('a client that reconnects its signalling', () => {
  test('stays the same participant, and nobody sees it leave', async ({ join }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    await publishBoth(alice)
    await bob.showsFrames('alice')
    const sid = await alice.sid()

    await alice.run(({ room }) => room.simulateScenario('signal-reconnect'))
    await alice.sees('reconnected')
    await expectWorking(alice, bob)
    expect(await alice.sid()).toBe(sid)
    expect((await bob.seen()).filter((line) => line.startsWith('participantDisc'))).toEqual([])
  })

  test('as a subscriber keeps what it receives', async ({ join }) => {
    const alice = await join('alice')
    const bob = await join('bob')
    await publishBoth(alice)
    await bob.showsFrames('alice')
    const sid = await bob.sid()

    await bob.run(({ room }) => room.simulateScenario('signal-reconnect'))
    await bob.sees('reconnected')
    await expectWorking(alice, bob)
    expect(await bob.sid()).toBe(sid)
  })

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

describe('a client that starts again from nothing', () => {
  for (const scenario of ['full-reconnect', 'leave-full-reconnect'] as const) {
    test(`(${scenario}) is a new participant of the same identity and publishes again`, async ({
      join,
    }) => {
      const alice = await join('alice')
      const bob = await join('bob')
      await publishBoth(alice)
      await bob.showsFrames('alice')
      const sid = await alice.sid()

      await alice.run(({ room }, name) => room.simulateScenario(name), scenario)
      await alice.sees('reconnected')
      await bob.until('both tracks again', ({ hasRemote, remote }) => {
        return (
          hasRemote('alice', 'camera') &&
          hasRemote('alice', 'microphone') &&
          remote('alice', 'camera').track !== undefined &&
          remote('alice', 'microphone').track !== undefined
        )
      })
      await expectWorking(alice, bob)
      expect(await alice.sid()).not.toBe(sid)
    })
  }
})

test('a client whose connection the server forgot joins again by itself', async ({
  join,
  api,
  room,
}) => {
  const alice = await join('alice')
  const bob = await join('bob')
  await publishBoth(alice)
  await bob.showsFrames('alice')

  await alice.run(({ room }) => room.simulateScenario('server-leave'))
  await alice.until('an end or a new start', ({ room, seen }) => {
    return seen.includes('reconnected') || room.state === 'disconnected'
  })
  const seen = await alice.seen()
  expect(seen.filter((line) => /^(reconnected|disconnected)/.test(line))).toHaveLength(1)
  expect((await api.listParticipants(room)).length).toBeGreaterThan(0)
})
