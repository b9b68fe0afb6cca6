import {
  TRANSCRIPTION_ENGINES,
  type TranscriptionEngine,
} from '@interview-room/contract/vocabulary.ts'
import type {
  Adapter,
  TranscriptionConfig,
} from '../../../../platform/config/transcription-config.ts'
import type { Vendor } from '../../../../platform/config/vendors.ts'
import { deepgram } from './deepgram.ts'
import type { Engine, VendorAdapter } from './engine.ts'
import { gladia } from './gladia.ts'
import { createLocalEngine } from './local-command.ts'
import { openai } from './openai-compatible.ts'
import { soniox } from './soniox.ts'
import { speechmatics } from './speechmatics.ts'

/** A new engine needs one file, one line here, and its settings in `vendors.ts`. */
export const VENDOR_ADAPTERS = {
  openai,
  deepgram,
  gladia,
  soniox,
  speechmatics,
} as const satisfies Record<Vendor, VendorAdapter>

/** The engine for each name. A name without one is not configured. */
export type Engines = Partial<Record<TranscriptionEngine, Engine>>

export function bindEngines({ bindings, local, vendors }: TranscriptionConfig): Engines {
  const made = new Map<Adapter, Engine | undefined>()
  const make = (adapter: Adapter) => {
    if (adapter === 'none') return undefined
    if (adapter === 'local') return local && createLocalEngine(local)
    return VENDOR_ADAPTERS[adapter].create(vendors[adapter])
  }
  const engines: Engines = {}
  for (const name of TRANSCRIPTION_ENGINES) {
    const adapter = bindings[name]
    if (!made.has(adapter)) made.set(adapter, make(adapter))
    const engine = made.get(adapter)
    if (engine !== undefined) engines[name] = engine
  }
  return engines
}

/** For the log at the start. */
export function describeEngines(engines: Engines): Record<TranscriptionEngine, string> {
  const named = TRANSCRIPTION_ENGINES.map((name) => [name, engines[name]?.name ?? 'none'])
  return Object.fromEntries(named) as Record<TranscriptionEngine, string>
}
