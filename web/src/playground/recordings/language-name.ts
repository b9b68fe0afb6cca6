import type { Locale } from '@interview-room/contract/vocabulary.ts'

/** `Japanese (Japan)` of `ja-JP`, in the language of the page. */
export function languageName(code: string, locale: Locale): string {
  return new Intl.DisplayNames(locale, { type: 'language' }).of(code) ?? code
}
