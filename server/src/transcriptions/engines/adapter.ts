import type { Engine } from '../engine.ts'

export interface VendorSettings {
  /** Without a slash at the end. */
  url: string
  apiKey: string
  model: string
  /** Canonical codes of those that it is asked for: all that it knows, or some of them. */
  languages: readonly string[]
}

/** A vendor's engine: what its settings are where nobody says otherwise, and how it is made of them. */
export interface VendorAdapter extends Omit<VendorSettings, 'apiKey'> {
  isKeyRequired: boolean
  create(settings: VendorSettings): Engine
}
