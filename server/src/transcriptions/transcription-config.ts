import { TRANSCRIPTION_LANGUAGES } from '@interview-room/contract/limits.ts'
import type { TranscriptionEngine } from '@interview-room/contract/vocabulary.ts'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { EnvironmentReader } from '../lib/environment.ts'
import type { LocalCommandSettings } from './engines/local-command.ts'
import type { VendorSettings } from './engines/vendor-http.ts'

const VENDORS = ['openai', 'deepgram', 'gladia', 'soniox', 'speechmatics'] as const
type Vendor = (typeof VENDORS)[number]
const ADAPTERS = ['none', 'local', ...VENDORS] as const
export type Adapter = (typeof ADAPTERS)[number]

export interface TranscriptionConfig {
  bindings: Record<TranscriptionEngine, Adapter>
  local: LocalCommandSettings | undefined
  vendors: Record<Vendor, VendorSettings>
  /** That one process works at side by side. */
  jobsMax: number
}

/** Which adapter stands behind each engine's name, and what they need. */
export function readTranscription(read: EnvironmentReader): TranscriptionConfig {
  const local = readLocal(read)
  const unset: Adapter = local === undefined ? 'none' : 'local'
  const adapterOf = (name: string) => read.word(name, ADAPTERS, unset)
  const bindings = {
    engine_a: adapterOf('TRANSCRIPTION_ENGINE_A'),
    engine_b: adapterOf('TRANSCRIPTION_ENGINE_B'),
    engine_c: adapterOf('TRANSCRIPTION_ENGINE_C'),
    engine_d: adapterOf('TRANSCRIPTION_ENGINE_D'),
    engine_e: adapterOf('TRANSCRIPTION_ENGINE_E'),
  }
  const bound = new Set<Adapter>(Object.values(bindings))
  if (bound.has('local') && local === undefined) {
    read.problems.push('TRANSCRIPTION_LOCAL_COMMAND is required where an engine is `local`')
  }
  return {
    bindings,
    local,
    vendors: readVendors(read, bound),
    jobsMax: read.integer('TRANSCRIPTION_JOBS_MAX', { min: 1, max: 64, fallback: 2 }),
  }
}

function readVendors(
  read: EnvironmentReader,
  bound: ReadonlySet<Adapter>,
): TranscriptionConfig['vendors'] {
  const url = (name: string, fallback: string) =>
    read.url(name, { schemes: ['http', 'https'], fallback })
  const key = (vendor: Vendor, name: string) =>
    read.text(name, bound.has(vendor) ? {} : { fallback: '' })
  const text = (name: string, fallback: string) => read.text(name, { fallback })
  return {
    openai: {
      url: url('TRANSCRIPTION_OPENAI_URL', 'https://api.openai.com/v1'),
      // Servers of one's own often want none.
      apiKey: text('TRANSCRIPTION_OPENAI_KEY', ''),
      model: text('TRANSCRIPTION_OPENAI_MODEL', 'whisper-1'),
    },
    deepgram: {
      url: url('TRANSCRIPTION_DEEPGRAM_URL', 'https://api.deepgram.com'),
      apiKey: key('deepgram', 'TRANSCRIPTION_DEEPGRAM_KEY'),
      model: text('TRANSCRIPTION_DEEPGRAM_MODEL', 'nova-2'),
    },
    gladia: {
      url: url('TRANSCRIPTION_GLADIA_URL', 'https://api.gladia.io'),
      apiKey: key('gladia', 'TRANSCRIPTION_GLADIA_KEY'),
      model: text('TRANSCRIPTION_GLADIA_MODEL', ''),
    },
    soniox: {
      url: url('TRANSCRIPTION_SONIOX_URL', 'https://api.soniox.com'),
      apiKey: key('soniox', 'TRANSCRIPTION_SONIOX_KEY'),
      model: text('TRANSCRIPTION_SONIOX_MODEL', 'stt-async-v4'),
    },
    speechmatics: {
      url: url('TRANSCRIPTION_SPEECHMATICS_URL', 'https://eu1.asr.api.speechmatics.com'),
      apiKey: key('speechmatics', 'TRANSCRIPTION_SPEECHMATICS_KEY'),
      model: text('TRANSCRIPTION_SPEECHMATICS_MODEL', 'enhanced'),
    },
  }
}

const Command = Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 100 })

function readLocal(read: EnvironmentReader): LocalCommandSettings | undefined {
  const text = read.text('TRANSCRIPTION_LOCAL_COMMAND', { fallback: '' })
  const languages = read.words('TRANSCRIPTION_LOCAL_LANGUAGES', TRANSCRIPTION_LANGUAGES)
  if (text === '') return undefined
  const [program, ...rest] = commandOf(text) ?? []
  if (program !== undefined && rest.some((part) => part.includes('{audio}'))) {
    return { command: [program, ...rest], languages }
  }
  read.problems.push(
    'TRANSCRIPTION_LOCAL_COMMAND must be a JSON array: a program and its arguments, {audio} among them',
  )
  return undefined
}

function commandOf(text: string): string[] | undefined {
  try {
    const given: unknown = JSON.parse(text)
    return Value.Check(Command, given) ? given : undefined
  } catch {
    return undefined
  }
}
