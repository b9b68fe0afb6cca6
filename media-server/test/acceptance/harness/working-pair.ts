import type { BrowserClient } from './browser-client.ts'
import { until } from './until.ts'

export async function publishBoth(client: BrowserClient): Promise<void> {
  await client.run(({ room }) => room.localParticipant.enableCameraAndMicrophone())
}

/** Data travels both ways and pictures move, whatever happened to the connections before. */
export async function expectWorking(alice: BrowserClient, bob: BrowserClient): Promise<void> {
  await bob.showsFrames('alice')
  await bob.hears('alice')
  await expectData(alice, bob, 'alice')
  await expectData(bob, alice, 'bob')
}

/** Sends until one arrives: what is sent in the first moments after a new start may be lost. */
async function expectData(from: BrowserClient, to: BrowserClient, name: string): Promise<void> {
  await until({
    fact: `data of ${name}`,
    async read() {
      await from.run(({ room }) =>
        room.localParticipant.publishData(new TextEncoder().encode('after'), { reliable: true }),
      )
      return to.seen()
    },
    holds: (lines) => lines.includes(`data ${name} reliable - after`),
  })
}
