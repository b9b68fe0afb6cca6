import { LOCALES, type Locale } from '@interview-room/contract/vocabulary.ts'

const KEY = 'interview-room.language'

/**
 * The first wish for a language that the pages have. The order is: the person's own choice, the link, the token, the
 * browser.
 */
export function chooseLocale(wishes: readonly (string | null | undefined)[]): Locale {
  for (const wish of wishes) {
    const spoken = LOCALES.find((locale) => wish?.toLowerCase().split('-')[0] === locale)
    if (spoken !== undefined) return spoken
  }
  return 'ja'
}

export function recallLocale(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

export function rememberLocale(locale: Locale): void {
  try {
    localStorage.setItem(KEY, locale)
  } catch {
    // A browser that stores nothing uses the language of the link, or its own, at the next visit.
  }
}
