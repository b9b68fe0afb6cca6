import { consoleEn } from '../i18n/console-en.ts'
import { type ConsoleDictionary, consoleJa } from '../i18n/console-ja.ts'
import { useLocale } from '../i18n/language.tsx'
import { ConsoleError } from './console-api.ts'

const DICTIONARIES = { ja: consoleJa, en: consoleEn }

/** The words of the console in the chosen language. */
export function useText(): ConsoleDictionary {
  return DICTIONARIES[useLocale()]
}

/** Words for an error: the problem of a field, or the meaning of the code. */
export function problemText(text: ConsoleDictionary, error: unknown): string {
  if (!(error instanceof ConsoleError)) return text.problem.other
  const [detail] = error.details
  if (detail !== undefined) return text.problem.field(detail.field, detail.message)
  if (error.code === 'OFFLINE') return text.problem.offline
  if (error.code === 'RATE_LIMIT_EXCEEDED') return text.problem.limited(error.retryAfterSec ?? 60)
  return text.problem.code(error.code)
}
