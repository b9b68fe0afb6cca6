import type { Vendor } from '../../../../platform/config/vendors.ts'
import type { VendorAdapter } from './adapter.ts'
import { deepgram } from './deepgram.ts'
import { gladia } from './gladia.ts'
import { openai } from './openai-compatible.ts'
import { soniox } from './soniox.ts'
import { speechmatics } from './speechmatics.ts'

/** A further engine is one file, one line here, and its settings in `vendors.ts`. */
export const VENDOR_ADAPTERS = {
  openai,
  deepgram,
  gladia,
  soniox,
  speechmatics,
} as const satisfies Record<Vendor, VendorAdapter>
