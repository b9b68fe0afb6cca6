import type { Locale } from '@interview-room/contract/vocabulary.ts'
import { startEn } from './start-en.ts'
import { type StartDictionary, startJa } from './start-ja.ts'

/** Needs no React: it is read while that is not there yet. */
export const START_TEXT: Record<Locale, StartDictionary> = { ja: startJa, en: startEn }
