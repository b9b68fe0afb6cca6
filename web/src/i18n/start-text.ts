import type { Locale } from '@interview-room/contract/vocabulary.ts'
import { startEn } from './start-en.ts'
import { type StartDictionary, startJa } from './start-ja.ts'

/** Works without React, because it is needed before React is loaded. */
export const START_TEXT: Record<Locale, StartDictionary> = { ja: startJa, en: startEn }
