import { DEFAULT_LANGUAGE, TRANSCRIPTION_LANGUAGES } from '@interview-room/contract/limits.ts'
import type { TranscriptionEngine } from '@interview-room/contract/vocabulary.ts'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { EnvironmentReader } from '../lib/environment.ts'
import { VENDOR_DEFAULTS, VENDORS, type Vendor, type VendorSettings } from './vendors.ts'

const ADAPTERS = ['none', 'local', ...VENDORS] as const
export type Adapter = (typeof ADAPTERS)[number]

/** The program that transcribes on this machine. */
export interface LocalCommandSettings {
  /** The program and its arguments; `{audio}`, `{language}`, `{lang}` and `{task}` are filled in. */
  command: readonly [string, ...string[]]
  /** Canonical codes of the languages that it supports. */
  languages: readonly string[]
  /** Settings of the service, which include secrets, and are withheld from it. It gets all other variables. */
  withheld: ReadonlySet<string>
}

export interface TranscriptionConfig {
  /** Languages that rooms and requests may name. */
  languages: readonly string[]
  bindings: Record<TranscriptionEngine, Adapter>
  local: LocalCommandSettings | undefined
  vendors: Record<Vendor, VendorSettings>
  /** Transcriptions that one process runs side by side. */
  jobsMax: number
}

/** Reads the adapter of each engine, and the settings of the adapters. */
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
    languages: readLanguages(read),
    bindings,
    local,
    vendors: readVendors(read, bound),
    jobsMax: read.integer('TRANSCRIPTION_JOBS_MAX', { min: 1, max: 64, fallback: 2 }),
  }
}

/** The contract's default must be among them, because a room that names none gets it. */
function readLanguages(read: EnvironmentReader): readonly string[] {
  const languages = read.words('TRANSCRIPTION_LANGUAGES', TRANSCRIPTION_LANGUAGES)
  if (languages.every((language) => language !== DEFAULT_LANGUAGE)) {
    read.problems.push(
      `TRANSCRIPTION_LANGUAGES must hold ${DEFAULT_LANGUAGE}, the default of rooms`,
    )
  }
  return languages
}

function readVendors(
  read: EnvironmentReader,
  bound: ReadonlySet<Adapter>,
): TranscriptionConfig['vendors'] {
  const settings = VENDORS.map((vendor) => {
    const { url, model, languages, isKeyRequired } = VENDOR_DEFAULTS[vendor]
    const prefix = `TRANSCRIPTION_${vendor.toUpperCase()}`
    const isNeeded = isKeyRequired && bound.has(vendor)
    const own: VendorSettings = {
      url: read.url(`${prefix}_URL`, { schemes: ['http', 'https'], fallback: url }),
      apiKey: read.text(`${prefix}_KEY`, isNeeded ? {} : { fallback: '' }),
      model: read.text(`${prefix}_MODEL`, { fallback: model }),
      languages: read.words(`${prefix}_LANGUAGES`, languages),
    }
    return [vendor, own]
  })
  return Object.fromEntries(settings) as Record<Vendor, VendorSettings>
}

const Command = Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 100 })

function readLocal(read: EnvironmentReader): LocalCommandSettings | undefined {
  const text = read.text('TRANSCRIPTION_LOCAL_COMMAND', { fallback: '' })
  const languages = read.words('TRANSCRIPTION_LOCAL_LANGUAGES', TRANSCRIPTION_LANGUAGES)
  if (text === '') return undefined
  const [program, ...rest] = commandOf(text) ?? []
  if (program !== undefined && rest.some((part) => part.includes('{audio}'))) {
    // Settings that are read later are added to the same list.
    return { command: [program, ...rest], languages, withheld: read.asked }
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
