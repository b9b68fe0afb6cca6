import type { Locale } from '@interview-room/contract/vocabulary.ts'

/** `Japanese (Japan)` for `ja-JP`, in the language of the page. */
export function languageName(code: string, locale: Locale): string {
  const names = new Intl.DisplayNames(locale, { type: 'language', languageDisplay: 'standard' })
  return names.of(code) ?? code
}
