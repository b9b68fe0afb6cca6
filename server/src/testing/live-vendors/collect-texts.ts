import type { LiveSink, LiveText } from '../../platform/ports/live-engine.ts'

interface Collected {
  sink: LiveSink
  texts: LiveText[]
  /** Final texts, without translations. */
  said: () => string[]
  translated: () => string[]
  /** The error of each call of `ended`. */
  ends: (string | null)[]
}

export function collectTexts(): Collected {
  const texts: LiveText[] = []
  const ends: (string | null)[] = []
  const finals = (isTranslation: boolean) =>
    texts
      .filter((each) => each.isFinal && each.isTranslation === isTranslation)
      .map(({ text }) => text)
  return {
    sink: {
      text: (text) => texts.push(text),
      ended: (error) => ends.push(error === null ? null : error.message),
    },
    texts,
    said: () => finals(false),
    translated: () => finals(true),
    ends,
  }
}
