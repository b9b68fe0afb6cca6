import { describe, expect, test } from 'vitest'
import { pageTitle } from './page-names.ts'
import { pagesBeside } from './pages-beside.ts'

const handout = (id: string, title: string | null) => ({ id, title })
const pdf = (id: string, title: string, numbers: readonly number[]) =>
  numbers.map((page) => handout(`${id}${page}`, pageTitle(title, { page, pages: 3 })))

/** The ids of the pages before and after. */
function beside(list: Parameters<typeof pagesBeside>[0], shownId: string | null) {
  const found = pagesBeside(list, shownId)
  return found === null ? null : [found.previous?.id ?? null, found.next?.id ?? null]
}

describe('turning the pages of a PDF', () => {
  const concept = pdf('c', 'Concept', [1, 2, 3])
  const list = [handout('film', 'Film'), ...concept, handout('shelf', null)]

  test.each([
    ['c1', [null, 'c2']],
    ['c2', ['c1', 'c3']],
    ['c3', ['c2', null]],
  ])('%s leads only to pages of the same PDF', (shown, ids) => {
    expect(beside(list, shown)).toEqual(ids)
  })

  test('returns the number of the page', () => {
    expect(pagesBeside(list, 'c2')?.place).toEqual({ page: 2, pages: 3 })
  })

  test.each(['film', 'shelf', 'gone', null])('%s is not a page', (shown) => {
    expect(pagesBeside(list, shown)).toBeNull()
  })

  test('a single page has no other page to turn to', () => {
    expect(beside(pdf('c', 'Concept', [2]), 'c2')).toBeNull()
    expect(beside([...pdf('c', 'Concept', [1]), ...pdf('d', 'Price', [2])], 'c1')).toBeNull()
  })

  test('a copy of the same PDF is a different PDF, also if the first one is not complete', () => {
    const copies = [...pdf('a', 'Concept', [1, 2]), ...pdf('b', 'Concept', [1, 2, 3])]
    expect(beside(copies, 'a2')).toEqual(['a1', null])
    expect(beside(copies, 'b1')).toEqual([null, 'b2'])
  })

  test('a missing page is skipped, and so are other handouts between two pages', () => {
    const [first, last] = pdf('c', 'Concept', [1, 3])
    expect(beside([first!, handout('film', 'Film'), last!], 'c1')).toEqual([null, 'c3'])
    expect(beside([first!, handout('film', 'Film'), last!], 'c3')).toEqual(['c1', null])
  })

  test('a PDF of the same title with another number of pages is a different PDF', () => {
    const other = handout('d2', pageTitle('Concept', { page: 2, pages: 2 }))
    expect(beside([...pdf('c', 'Concept', [1]), other], 'c1')).toBeNull()
  })
})
