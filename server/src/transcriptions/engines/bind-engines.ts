import {
  TRANSCRIPTION_ENGINES,
  type TranscriptionEngine,
} from '@interview-room/contract/vocabulary.ts'
import type { Engine } from '../engine.ts'
import type { Adapter, TranscriptionConfig } from '../transcription-config.ts'
import { createDeepgramEngine } from './deepgram.ts'
import { createGladiaEngine } from './gladia.ts'
import { createLocalEngine } from './local-command.ts'
import { createOpenaiEngine } from './openai-compatible.ts'
import { createSonioxEngine } from './soniox.ts'
import { createSpeechmaticsEngine } from './speechmatics.ts'

/** Which engine stands behind each name; a name without one is not configured. */
export type Engines = Partial<Record<TranscriptionEngine, Engine>>

/** A further engine is one file, and one line here. */
const ADAPTERS: Record<Adapter, (config: TranscriptionConfig) => Engine | undefined> = {
  none: () => undefined,
  local: ({ local }) => local && createLocalEngine(local),
  openai: ({ vendors }) => createOpenaiEngine(vendors.openai),
  deepgram: ({ vendors }) => createDeepgramEngine(vendors.deepgram),
  gladia: ({ vendors }) => createGladiaEngine(vendors.gladia),
  soniox: ({ vendors }) => createSonioxEngine(vendors.soniox),
  speechmatics: ({ vendors }) => createSpeechmaticsEngine(vendors.speechmatics),
}

export function bindEngines(config: TranscriptionConfig): Engines {
  const engines: Engines = {}
  for (const name of TRANSCRIPTION_ENGINES) {
    const engine = ADAPTERS[config.bindings[name]](config)
    if (engine !== undefined) engines[name] = engine
  }
  return engines
}

/** For the log of the start. */
export function describeEngines(engines: Engines): Record<TranscriptionEngine, string> {
  const named = TRANSCRIPTION_ENGINES.map((name) => [name, engines[name]?.name ?? 'none'])
  return Object.fromEntries(named) as Record<TranscriptionEngine, string>
}
