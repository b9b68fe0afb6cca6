import { describe, expect } from 'vitest'
import { test } from './harness/fixtures.ts'
import { expectWorking, publishBoth } from './harness/working-pair.ts'

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

  test('keeps its subscriptions', async ({ join }) => {
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
})
