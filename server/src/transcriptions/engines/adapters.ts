import type { VendorAdapter } from './adapter.ts'
import { deepgram } from './deepgram.ts'
import { gladia } from './gladia.ts'
import { openai } from './openai-compatible.ts'
import { soniox } from './soniox.ts'
import { speechmatics } from './speechmatics.ts'

/** By the names that the settings use. A further engine is one file, and one line here. */
export const VENDOR_ADAPTERS = {
  openai,
  deepgram,
  gladia,
  soniox,
  speechmatics,
} as const satisfies Record<string, VendorAdapter>

export type Vendor = keyof typeof VENDOR_ADAPTERS
export const VENDORS = Object.keys(VENDOR_ADAPTERS) as Vendor[]
