import { deepgram } from './vendors/deepgram.ts'
import { gladia } from './vendors/gladia.ts'
import { openai } from './vendors/openai.ts'
import { soniox } from './vendors/soniox.ts'
import { speechmatics } from './vendors/speechmatics.ts'
import type { Said, VendorFixture } from './vendors/vendor-fixture.ts'

export const FIXTURES: readonly VendorFixture[] = [openai, deepgram, speechmatics, soniox, gladia]

export const HELLO: Said = [
  ['Hello', 0.1, 0.5],
  ['there.', 0.5, 0.9],
]
