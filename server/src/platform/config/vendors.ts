import { TRANSCRIPTION_LANGUAGES } from '@interview-room/contract/limits.ts'

/** How a vendor's engine is reached. */
export interface VendorSettings {
  /** Without a slash at the end. */
  url: string
  apiKey: string
  model: string
  /** Canonical codes of those that it is asked for: all that it knows, or some of them. */
  languages: readonly string[]
}

/** Settings of a vendor where nobody says otherwise. */
interface VendorDefaults extends Omit<VendorSettings, 'apiKey'> {
  isKeyRequired: boolean
}

const EVERY_LANGUAGE: readonly string[] = TRANSCRIPTION_LANGUAGES

/** By the vendors' names in the settings. The engines' code describes their use. */
export const VENDOR_DEFAULTS = {
  openai: {
    url: 'https://api.openai.com/v1',
    model: 'whisper-1',
    // Servers of one's own often want none.
    isKeyRequired: false,
    languages: EVERY_LANGUAGE,
  },
  deepgram: {
    url: 'https://api.deepgram.com',
    model: 'nova-3',
    isKeyRequired: true,
    languages: EVERY_LANGUAGE,
  },
  gladia: {
    url: 'https://api.gladia.io',
    model: '',
    isKeyRequired: true,
    languages: EVERY_LANGUAGE,
  },
  soniox: {
    url: 'https://api.soniox.com',
    model: 'stt-async-v5',
    isKeyRequired: true,
    languages: EVERY_LANGUAGE,
  },
  speechmatics: {
    url: 'https://eu1.asr.api.speechmatics.com',
    model: 'enhanced',
    isKeyRequired: true,
    languages: EVERY_LANGUAGE,
  },
} as const satisfies Record<string, VendorDefaults>

export type Vendor = keyof typeof VENDOR_DEFAULTS
export const VENDORS = Object.keys(VENDOR_DEFAULTS) as Vendor[]
