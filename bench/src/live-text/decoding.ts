import { createSoundDecoders } from '@interview-room/server/src/platform/media/livekit/sound-decoders.ts'
import { opusPackets } from '@interview-room/server/src/testing/spoken-capture.ts'
import { median } from '../statistics.ts'
import { numbersOf, SOUND_SEC } from './said-numbers.ts'

const ROUNDS = 5
const REPEATS = 20
const WHOSE = { identity: 'baseline', track: 'baseline' }

/** Cores that it takes to decode one person's packets as they come, and nothing else. */
export async function decodingCores(): Promise<number> {
  const packets = await opusPackets(numbersOf(1))
  const started = Promise.withResolvers<void>()
  const decoders = createSoundDecoders(() => started.resolve())
  try {
    for (const opus of packets.slice(0, 1)) decoders.decode({ ...WHOSE, opus })
    await started.promise
    const rounds = Array.from({ length: ROUNDS }, () => {
      const before = process.cpuUsage()
      for (let at = 0; at < REPEATS; at += 1) {
        for (const opus of packets) decoders.decode({ ...WHOSE, opus })
      }
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1e6 / (REPEATS * SOUND_SEC)
    })
    return median(rounds)
  } finally {
    decoders.free()
  }
}
