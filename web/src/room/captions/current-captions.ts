import { textIn, type Utterance } from '../../live/utterances.ts'

/** A caption stays this long after its last change. */
export const CAPTION_STAYS_MS = 6000
/** Two rows: of one person, or one of each when two speak at the same time. */
const PEOPLE_MAX = 2

export interface Caption {
  segment: string
  name: string
  text: string
  language: string
}

/** The captions to show until somebody says more, oldest first: of those who speak, or the last one. */
export function currentCaptions(
  utterances: readonly Utterance[],
  language: string | null,
): readonly Caption[] {
  const newestMs = newestOf(utterances)
  if (newestMs === null) return []
  const recent = utterances.filter(
    ({ heardAtMs }) => heardAtMs !== null && heardAtMs > newestMs - CAPTION_STAYS_MS,
  )
  const last = recent.filter(
    (each, at) => recent.findLastIndex(({ identity }) => identity === each.identity) === at,
  )
  const speaking = last.filter(({ original }) => original?.isFinal === false)
  const shown = (speaking.length > 0 ? speaking : last.filter(isNewest(newestMs))).toSorted(
    (one, other) => (one.heardAtMs ?? 0) - (other.heardAtMs ?? 0),
  )
  return shown.slice(-PEOPLE_MAX).flatMap((utterance) => {
    const spoken = textIn(utterance, language)
    if (spoken === null) return []
    const { segment, name } = utterance
    return { segment, name, text: spoken.text, language: spoken.language }
  })
}

/** When the newest text came. Null if none came while this page was open. */
export function newestOf(utterances: readonly Utterance[]): number | null {
  let newestMs: number | null = null
  for (const { heardAtMs } of utterances) {
    if (heardAtMs !== null && heardAtMs > (newestMs ?? -Infinity)) newestMs = heardAtMs
  }
  return newestMs
}

const isNewest =
  (newestMs: number) =>
  ({ heardAtMs }: Utterance): boolean =>
    heardAtMs === newestMs
