import { test } from 'vitest'
import { expectTogether } from '../test/drifting-clocks.ts'

const TIMEOUT_MS = 480_000
/** half-an-hour.test.ts is the same at full length, but only in the whole run. */
const LENGTH_MS = 2 * 60_000
/** The sound card is so slow that in two minutes it falls back as far as a real one in half an hour. */
const AUDIO_PPM = -1800

// oxlint-disable-next-line vitest/expect-expect -- the demands are in the one place for both lengths
test(
  'audio and video of a file are within 80 ms of each other after two minutes, despite clock drift',
  () => expectTogether({ lengthMs: LENGTH_MS, audioPpm: AUDIO_PPM }),
  TIMEOUT_MS,
)
