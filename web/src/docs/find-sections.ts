/** A section of the documentation. `docs/search.json` is a list of them. */
export interface Section {
  href: string
  page: string
  heading: string
  text: string
}

const FOUND_MAX = 12
const AROUND = 60

/** The sections that have every word, the best first: in the heading, in the title of the page, in the text. */
export function findSections(sections: readonly Section[], wanted: string): Section[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, FOUND_MAX)
    .map(({ section }) => section)
}

/** 0 if a word is missing. */
function scoreOf({ heading, page, text }: Section, words: readonly string[]): number {
  let score = 0
  for (const word of words) {
    if (beginsWordIn(heading, word)) score += 8
    else if (has(heading, word)) score += 4
    else if (has(page, word)) score += 2
    else if (has(text, word)) score += 1
    else return 0
  }
  return score
}

const has = (text: string, word: string) => text.toLowerCase().includes(word)
const beginsWordIn = (text: string, word: string) => ` ${text.toLowerCase()}`.includes(` ${word}`)

/** The words around the first one that was looked for. */
export function snippetOf({ text }: Section, wanted: string): string {
  const [word = ''] = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const at = Math.max(0, text.toLowerCase().indexOf(word) - AROUND)
  const from = at === 0 ? 0 : text.indexOf(' ', at) + 1
  const part = text.slice(from, from + 2 * AROUND)
  return `${from > 0 ? '… ' : ''}${part}${from + 2 * AROUND < text.length ? ' …' : ''}`
}
