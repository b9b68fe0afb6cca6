import { useState } from 'react'

const KEY = 'interview-room.captions'

export const CAPTION_SIZES = ['small', 'medium', 'large'] as const
type CaptionSize = (typeof CAPTION_SIZES)[number]
/** Height of the letters, as in captions.module.css. */
export const CAPTION_SIZE_REM: Record<CaptionSize, number> = {
  small: 1,
  medium: 1.375,
  large: 1.875,
}

/** The captions that a person wants, as this device remembers it. */
interface Wanted {
  isOn: boolean
  size: CaptionSize
  /** The language of a translation. Null for what was said. */
  language: string | null
}

const AT_FIRST: Wanted = { isOn: true, size: 'medium', language: null }

export interface CaptionChoice extends Wanted {
  change(change: Partial<Wanted>): void
}

export function useCaptionChoice(): CaptionChoice {
  const [wanted, setWanted] = useState(recall)
  return {
    ...wanted,
    change(change) {
      const next = { ...wanted, ...change }
      remember(next)
      setWanted(next)
    },
  }
}

function recall(): Wanted {
  try {
    return { ...AT_FIRST, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Wanted>) }
  } catch {
    return AT_FIRST
  }
}

function remember(wanted: Wanted): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(wanted))
  } catch {
    // A browser that stores nothing starts with the usual captions at the next visit.
  }
}
