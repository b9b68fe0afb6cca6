import { describe, expect } from 'vitest'
import type { BrowserClient } from './harness/browser-client.ts'
import { test } from './harness/fixtures.ts'
import { until } from './harness/until.ts'

type Kind = 'reliable' | 'lossy'

/** Data may overtake the news of who sends it: everybody must know everybody first. */
async function meet(...clients: BrowserClient[]): Promise<void> {
  const others = clients.length - 1
  await Promise.all(
    clients.map((client) =>
      client.until(
        `${others} others`,
        ({ room }, count) => room.remoteParticipants.size === count,
        others,
      ),
    ),
  )
}

/**
 * Sends until each line is seen: reliable data once. Lossy data may be lost, and always is on a channel of
 * a receiver that is still opening; there is no notice when it is open.
 */
async function sendUntilSeen(
  kind: Kind,
  send: () => Promise<void>,
  expected: readonly (readonly [client: BrowserClient, line: string])[],
): Promise<void> {
  if (kind === 'reliable') {
    await send()
    await Promise.all(expected.map(([client, line]) => client.sees(line)))
    return
  }
  await until({
    fact: expected.map(([, line]) => line).join(', '),
    async read() {
      await send()
      return Promise.all(
        expected.map(async ([client, line]) => (await client.seen()).includes(line)),
      )
    },
    holds: (seen) => seen.every(Boolean),
  })
}

describe('a data packet', () => {
  for (const kind of ['reliable', 'lossy'] as const) {
    test(`sent ${kind} reaches everybody else, with its sender and topic`, async ({ join }) => {
      const [alice, bob, carol] = await Promise.all([join('alice'), join('bob'), join('carol')])
      await meet(alice, bob, carol)
      const greet = (): Promise<void> =>
        alice.run(async ({ room }, reliable) => {
          const payload = new TextEncoder().encode('hello')
          await room.localParticipant.publishData(payload, { reliable, topic: 'greeting' })
        }, kind === 'reliable')

      await sendUntilSeen(kind, greet, [
        [bob, `data alice ${kind} greeting hello`],
        [carol, `data alice ${kind} greeting hello`],
      ])
      expect((await alice.seen()).filter((line) => line.startsWith('data '))).toEqual([])
    })

    test(`sent ${kind} to one person reaches nobody else`, async ({ join }) => {
      const [alice, bob, carol] = await Promise.all([join('alice'), join('bob'), join('carol')])
      await meet(alice, bob, carol)
      const sendBoth = (): Promise<void> =>
        alice.run(async ({ room }, reliable) => {
          const send = (text: string, destinationIdentities: string[]): Promise<void> =>
            room.localParticipant.publishData(new TextEncoder().encode(text), {
              reliable,
              destinationIdentities,
            })
          await send('for-bob', ['bob'])
          // The later packet for both shows that the earlier one is not still on its way.
          await send('for-both', [])
        }, kind === 'reliable')

      await sendUntilSeen(kind, sendBoth, [
        [bob, `data alice ${kind} - for-bob`],
        [carol, `data alice ${kind} - for-both`],
      ])
      expect((await carol.seen()).filter((line) => line.includes('for-bob'))).toEqual([])
    })
  }

  test('sent reliably arrives once and in order', async ({ join }) => {
    const [alice, bob] = await Promise.all([join('alice'), join('bob')])
    await meet(alice, bob)
    await alice.run(async ({ room }) => {
      for (let number = 0; number < 200; number += 1) {
        const payload = new TextEncoder().encode(`no-${number}`)
        await room.localParticipant.publishData(payload, { reliable: true })
      }
    })

    await bob.sees('data alice reliable - no-199')
    const arrived = (await bob.seen()).filter((line) => line.startsWith('data alice'))
    expect(arrived).toEqual(
      Array.from({ length: 200 }, (_, no) => `data alice reliable - no-${no}`),
    )
  })

  test('is dropped when its sender may not send data', async ({ join }) => {
    const [alice, bob, mallory] = await Promise.all([
      join('alice'),
      join('bob'),
      join('mallory', { grant: { canPublish: true, canPublishData: false } }),
    ])
    await meet(alice, bob, mallory)
    await mallory.run(async ({ room }) => {
      const payload = new TextEncoder().encode('forbidden')
      await room.localParticipant.publishData(payload, { reliable: true }).catch(() => undefined)
    })
    await alice.run(async ({ room }) => {
      const payload = new TextEncoder().encode('allowed')
      await room.localParticipant.publishData(payload, { reliable: true })
    })

    await bob.sees('data alice reliable - allowed')
    expect((await bob.seen()).filter((line) => line.includes('forbidden'))).toEqual([])
  })
})
