import { machine } from '../machine.ts'
import { median, round } from '../statistics.ts'
import type { Paints, Visit } from './visit.ts'

/** One visit of each side, one after the other. */
export interface Round {
  conditions: string
  page: Visit
  empty: Paints
  bare: { connectedMs: number; firstFrameMs: number }
}

interface Figure {
  what: string
  page: (of: Round) => number
  floor?: (of: Round) => number
}

const FIGURES: readonly Figure[] = [
  {
    what: 'first paint',
    page: ({ page }) => page.firstPaintMs,
    floor: ({ empty }) => empty.firstPaintMs,
  },
  {
    what: 'first contentful paint',
    page: ({ page }) => page.contentfulPaintMs,
    floor: ({ empty }) => empty.contentfulPaintMs,
  },
  { what: 'device check usable', page: ({ page }) => page.usableMs },
  { what: 'own picture', page: ({ page }) => page.previewMs },
  {
    what: 'Join to live',
    page: ({ page }) => page.joinedMs,
    floor: ({ bare }) => bare.connectedMs,
  },
  {
    what: 'Join to first remote frame',
    page: ({ page }) => page.remoteFrameMs,
    floor: ({ bare }) => bare.firstFrameMs,
  },
]

/** Prints a table for people, then one line of JSON. Both have medians; ratios are computed within a round. */
export function reportPageLoad(rounds: readonly Round[]): void {
  const names = [...new Set(rounds.map(({ conditions }) => conditions))]
  const results = names.map((name) => {
    const these = rounds.filter(({ conditions }) => conditions === name)
    const figures = FIGURES.map((figure) => figureOf(figure, these))
    const scriptKb = round(median(these.map(({ page }) => page.scriptKb)))
    console.log(`\n${name}: median of ${these.length}, milliseconds; ${scriptKb} kB of script`)
    console.table(Object.fromEntries(figures.map(({ what, ...rest }) => [what, rest])))
    return { name, rounds: these.length, scriptKb, figures }
  })
  console.log(JSON.stringify({ bench: 'page-load', machine: machine(), results }))
}

function figureOf({ what, page, floor }: Figure, rounds: readonly Round[]) {
  const times = rounds.map(page)
  const own = {
    what,
    median: round(median(times)),
    min: round(Math.min(...times)),
    max: round(Math.max(...times)),
  }
  if (floor === undefined) return own
  return {
    ...own,
    floor: round(median(rounds.map(floor))),
    ratio: round(median(rounds.map((each) => page(each) / floor(each)))),
  }
}
