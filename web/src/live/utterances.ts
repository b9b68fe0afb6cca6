import type { CaptionBody, LiveTextBody } from '@interview-room/contract/live-text.ts'

/** A text in one language. */
interface SpokenText {
  text: string
  language: string
  isFinal: boolean
}

/** A sentence of a person, perhaps still going on, in the language of the speech and in those that it was translated to. */
export interface Utterance {
  segment: string
  identity: string
  name: string
  /** When it began, by the service's clock; when its first text came, while only events have told of it. */
  atMs: number
  /** When its newest text came, by this page's monotonic clock. Null if it was said before the page was opened. */
  heardAtMs: number | null
  original: SpokenText | null
  translations: readonly SpokenText[]
}

/** The facts that an event leaves out. */
interface Hearing {
  name: string
  atMs: number
  heardAtMs: number
}

/** The text as this reader chose it: a translation, or what was said while there is none. Null without words. */
export function textIn(
  { original, translations }: Utterance,
  language: string | null,
): SpokenText | null {
  const chosen = translations.find((each) => each.language === language && each.text !== '')
  const shown = chosen ?? original
  return shown === null || shown.text === '' ? null : shown
}

/** The languages of the translations, in the order in which they came. */
export function translatedTo(utterances: readonly Utterance[]): string[] {
  return [
    ...new Set(
      utterances.flatMap(({ translations }) => translations.map(({ language }) => language)),
    ),
  ]
}

/** Leaves out what may still change. */
export function finishedOf(known: readonly Utterance[]): readonly Utterance[] {
  return known.filter((each) => !isUnfinished(each))
}

const isUnfinished = ({ original }: Utterance): boolean => original?.isFinal === false

/**
 * Adds a text that was just said. One of a final text's segment is ignored. A person says one thing at a time: another segment
 * replaces what they have left unfinished, because the process that listened may have ended.
 */
export function withCaption(
  known: readonly Utterance[],
  caption: CaptionBody,
  hearing: Hearing,
): readonly Utterance[] {
  const at = known.findLastIndex(({ segment }) => segment === caption.segment)
  const before = known[at] ?? {
    segment: caption.segment,
    identity: caption.identity,
    ...hearing,
    original: null,
    translations: [],
  }
  if (textOf(before, caption)?.isFinal === true) return known
  const after = { ...withText(before, caption, caption.final), heardAtMs: hearing.heardAtMs }
  if (at !== -1) return known.with(at, after)
  const others = known.filter((each) => each.identity !== after.identity || !isUnfinished(each))
  return [...others, after]
}

/** Adds a page of what was said before, which also knows exact times and the names of people who have left. */
export function withHistory(
  known: readonly Utterance[],
  page: readonly LiveTextBody[],
): readonly Utterance[] {
  const all = new Map(known.map((each) => [each.segment, each]))
  for (const text of page) {
    const facts = {
      segment: text.segment,
      identity: text.identity,
      name: text.display_name,
      atMs: Date.parse(text.started_at),
    }
    const nothing = { heardAtMs: null, original: null, translations: [] }
    all.set(text.segment, withText({ ...nothing, ...all.get(text.segment), ...facts }, text, true))
  }
  return [...all.values()].toSorted((one, other) => one.atMs - other.atMs)
}

type Told = Pick<CaptionBody, 'text' | 'language' | 'is_translation'>

function textOf(utterance: Utterance, { language, is_translation }: Told): SpokenText | null {
  if (!is_translation) return utterance.original
  return utterance.translations.find((each) => each.language === language) ?? null
}

function withText(utterance: Utterance, told: Told, isFinal: boolean): Utterance {
  const { text, language } = told
  const spoken = { text, language, isFinal }
  if (!told.is_translation) return { ...utterance, original: spoken }
  const others = utterance.translations.filter((each) => each.language !== language)
  return { ...utterance, translations: [...others, spoken] }
}
