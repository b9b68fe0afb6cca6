import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { composeDrifting, FRAME_RATE } from '../../../test/support/drifting-clocks.ts'

const TIMEOUT_MS = 1_200_000
const LENGTH_MS = 30 * 60_000
/** The sound card is slower than it says: a fifth of a second in half an hour. */
const SOUND_PPM = -120

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'drift-'))
})
afterAll(() => rm(folder, { recursive: true }))

test(
  'sound and picture of a file are together within 80 ms after half an hour, whatever the clocks do',
  async () => {
    const { flashes, beeps } = await composeDrifting({
      folder,
      lengthMs: LENGTH_MS,
      soundPpm: SOUND_PPM,
    })
    expect(flashes.length).toBeGreaterThanOrEqual(9)
    expect(beeps).toHaveLength(flashes.length)
    const apartMs = flashes.map((sec, i) => Math.abs(sec - (beeps[i] ?? 0)) * 1000)
    expect(Math.max(...apartMs)).toBeLessThan(80)
    // And where they belong, half a second after the first picture that was looked at.
    expect(Math.abs((flashes[0] ?? 0) - 0.5) * 1000).toBeLessThanOrEqual(1000 / FRAME_RATE)
  },
  TIMEOUT_MS,
)
