/** Compares the said and the written text by the words that they share in order. */
export interface Comparison {
  /** The share of said words that appear in the written text, 0 to 1. */
  present: number
  /** Words to be changed, added or removed, in relation to the number of said words. */
  errorRate: number
}

/** In lower case, without punctuation. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z']+/g) ?? []
}

/** Aligns the two texts with as few changes as possible, and among these so that most words are present. */
export function compareWords(said: readonly string[], written: readonly string[]): Comparison {
  let row = written.map((_, index): Cell => ({ changes: index + 1, present: 0 }))
  row.unshift({ changes: 0, present: 0 })
  for (const [index, word] of said.entries()) row = nextRow(row, { index, word, written })
  const { changes, present } = row.at(-1) ?? { changes: 0, present: 0 }
  return { present: present / said.length, errorRate: changes / said.length }
}

interface Cell {
  changes: number
  present: number
}

function nextRow(
  above: readonly Cell[],
  { index, word, written }: { index: number; word: string; written: readonly string[] },
): Cell[] {
  const row: Cell[] = [{ changes: index + 1, present: 0 }]
  for (const [column, other] of written.entries()) {
    const isSame = word === other
    row.push(
      best(
        stepFrom(above[column], { changes: isSame ? 0 : 1, present: isSame ? 1 : 0 }),
        stepFrom(above[column + 1], { changes: 1, present: 0 }),
        stepFrom(row[column], { changes: 1, present: 0 }),
      ),
    )
  }
  return row
}

function stepFrom(cell: Cell | undefined, step: Cell): Cell {
  if (cell === undefined) throw new RangeError('a cell outside of the table')
  return { changes: cell.changes + step.changes, present: cell.present + step.present }
}

const best = (...cells: readonly Cell[]) =>
  cells.reduce((a, b) =>
    b.changes < a.changes || (b.changes === a.changes && b.present > a.present) ? b : a,
  )
