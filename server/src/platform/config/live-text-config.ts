import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { EnvironmentReader } from '../lib/environment.ts'
import { readTranscription, type TranscriptionConfig } from './transcription-config.ts'

/** How a vendor's live engine is reached. */
export interface LiveVendorSettings {
  /** Without a slash at the end. */
  url: string
  /** The same as for transcriptions. */
  apiKey: string
  model: string
  /** Canonical codes; the same as for transcriptions. */
  languages: readonly string[]
}

/** The program of this machine that hears speech live. */
export interface LiveProgramSettings {
  /** The program and its arguments; `{language}`, `{lang}` and `{target}` are filled in. */
  command: readonly [string, ...string[]]
  /** Settings of the service, which include secrets, and are withheld from it. It gets all other variables. */
  withheld: ReadonlySet<string>
}

export interface LiveTextConfig {
  /** In the order in which they are tried. Empty where live text has no engine. */
  engines: readonly LiveAdapter[]
  local: LiveProgramSettings | undefined
  vendors: Record<LiveVendor, LiveVendorSettings>
}

/** Addresses and models where nobody says otherwise. */
export const LIVE_VENDOR_DEFAULTS = {
  soniox: { url: 'wss://stt-rt.soniox.com/transcribe-websocket', model: 'stt-rt-v5' },
  deepgram: { url: 'wss://api.deepgram.com', model: 'nova-3' },
  gladia: { url: 'https://api.gladia.io', model: '' },
  speechmatics: { url: 'wss://eu.rt.speechmatics.com/v2', model: 'enhanced' },
} as const

export type LiveVendor = keyof typeof LIVE_VENDOR_DEFAULTS
export const LIVE_VENDORS = Object.keys(LIVE_VENDOR_DEFAULTS) as LiveVendor[]

const ADAPTERS = ['local', ...LIVE_VENDORS] as const
type LiveAdapter = (typeof ADAPTERS)[number]

export interface SpeechConfig {
  transcription: TranscriptionConfig
  liveText: LiveTextConfig
}

export function readSpeech(read: EnvironmentReader): SpeechConfig {
  const transcription = readTranscription(read)
  return { transcription, liveText: readLiveText(read, transcription) }
}

/** Reads the engines of live text. Keys and languages of a vendor are those of its transcriptions. */
function readLiveText(
  read: EnvironmentReader,
  { vendors }: Pick<TranscriptionConfig, 'vendors'>,
): LiveTextConfig {
  const engines = readOrder(read)
  const local = readLocal(read)
  if (engines.includes('local') && local === undefined) {
    read.problems.push('LIVE_TEXT_LOCAL_COMMAND is required where live text uses `local`')
  }
  const settings = LIVE_VENDORS.map((vendor) => {
    const { url, model } = LIVE_VENDOR_DEFAULTS[vendor]
    const prefix = `LIVE_TEXT_${vendor.toUpperCase()}`
    const { apiKey, languages } = vendors[vendor]
    if (apiKey === '' && engines.includes(vendor)) {
      read.problems.push(`TRANSCRIPTION_${vendor.toUpperCase()}_KEY is required`)
    }
    const scheme = url.startsWith('wss:') ? ['ws', 'wss'] : ['http', 'https']
    const own: LiveVendorSettings = {
      url: read.url(`${prefix}_URL`, { schemes: scheme, fallback: url }),
      apiKey,
      model: read.text(`${prefix}_MODEL`, { fallback: model }),
      languages,
    }
    return [vendor, own]
  })
  return { engines, local, vendors: Object.fromEntries(settings) as LiveTextConfig['vendors'] }
}

function readOrder(read: EnvironmentReader): readonly LiveAdapter[] {
  const text = read.text('LIVE_TEXT_ENGINES', { fallback: '' })
  if (text === '') return []
  const names = text.split(',').map((name) => name.trim())
  const known = names.flatMap((name) => ADAPTERS.find((adapter) => adapter === name) ?? [])
  if (known.length === names.length && new Set(known).size === known.length) return known
  read.problems.push(
    `LIVE_TEXT_ENGINES must be some of ${ADAPTERS.join(', ')}, in their order, with commas between them`,
  )
  return []
}

const Command = Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 100 })

function readLocal(read: EnvironmentReader): LiveProgramSettings | undefined {
  const text = read.text('LIVE_TEXT_LOCAL_COMMAND', { fallback: '' })
  if (text === '') return undefined
  const [program, ...rest] = commandOf(text)
  // Settings that are read later are added to the same list.
  if (program !== undefined) return { command: [program, ...rest], withheld: read.asked }
  read.problems.push('LIVE_TEXT_LOCAL_COMMAND must be a JSON array: a program and its arguments')
  return undefined
}

function commandOf(text: string): readonly string[] {
  try {
    const given: unknown = JSON.parse(text)
    return Value.Check(Command, given) ? given : []
  } catch {
    return []
  }
}
