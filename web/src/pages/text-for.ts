import type { ConsentText } from '@interview-room/contract/consent.ts'
import type { Locale } from '@interview-room/contract/vocabulary.ts'

/** The text in the language of the page. */
export function textFor(texts: readonly ConsentText[], locale: Locale): ConsentText | undefined {
  return texts.find(({ language }) => language === locale)
}
