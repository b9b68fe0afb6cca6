import { expect } from 'vitest'
import type { BrowserClient } from './harness/browser-client.ts'
import { publishAudio, publishVideo, test } from './harness/rtc-node-fixtures.ts'
import { soakMinutes } from './harness/settings.ts'

const LOOK_EVERY_MS = 10_000
const TEST_TIMEOUT_MS = (soakMinutes() + 3) * 60_000
/** Growth of this process: with the embedded server and the native client in it, noise stays below. */
const GROWTH_MAX_BYTES = 150 * 1024 * 1024

test(
  'two publishers and three subscribers stay connected, with sound, moving video and constant memory',
  {
    timeout: TEST_TIMEOUT_MS,
  },
  async ({ stage, room, api, join, enter, skip, onTestFinished }) => {
    skip(stage.soakMinutes === 0, 'set LIVEKIT_ACCEPTANCE_SOAK_MINUTES to run it')
    const publisher = await enter('robot')
    onTestFinished(await publishAudio(publisher))
    onTestFinished(await publishVideo(publisher))
    const alice = await join('alice')
    await alice.run(({ room }) => room.localParticipant.enableCameraAndMicrophone())
    const subscribers = await Promise.all(['bob', 'carol', 'dave'].map((name) => join(name)))
    const sids = await sidsOf(api.listParticipants(room))

    const endsAt = performance.now() + stage.soakMinutes * 60_000
    const memory: number[] = []
    while (performance.now() < endsAt) {
      await Promise.all(subscribers.map(expectMedia))
      memory.push(process.memoryUsage.rss())
      await new Promise((resolve) => {
        setTimeout(resolve, LOOK_EVERY_MS)
      })
    }

    expect(await sidsOf(api.listParticipants(room))).toEqual(sids)
    for (const client of [alice, ...subscribers]) {
      const lines = await client.seen()
      expect(lines.filter((line) => /reconnect|^disconnected/i.test(line))).toEqual([])
    }
    const warm = memory[Math.floor(memory.length / 3)] ?? 0
    expect((memory.at(-1) ?? 0) - warm).toBeLessThan(GROWTH_MAX_BYTES)
  },
)

async function expectMedia(client: BrowserClient): Promise<void> {
  await client.showsFrames('alice')
  await client.showsFrames('robot')
  await client.hears('robot')
}

async function sidsOf(listed: Promise<{ sid: string }[]>): Promise<string[]> {
  return (await listed).map(({ sid }) => sid).toSorted()
}
