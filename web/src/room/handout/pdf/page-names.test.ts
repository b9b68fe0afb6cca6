import { HANDOUT_TITLE_MAX } from '@interview-room/contract/limits.ts'
import { expect, test } from 'vitest'
import { PDF_TITLE_MAX, pageFileName, pageOf, pageTitle } from './page-names.ts'
import { PDF_PAGES_MAX } from './pdf-limits.ts'

test('a page is titled by the PDF and its number', () => {
  expect(pageTitle('Concept', { page: 3, pages: 12 })).toBe('Concept – 3 / 12')
})

test.each(['Concept', 'A – 1 / 2', '概要', ''])(
  'the title “%s” and the number are read again',
  (title) => {
    const number = { page: 3, pages: PDF_PAGES_MAX }
    expect(pageOf(pageTitle(title, number))).toEqual({ title, ...number })
  },
)

test.each(['Concept', 'Concept – 3', 'Concept - 3 / 12', 'Concept – 3 / 12 (old)', '3 / 12', ''])(
  'the title “%s” names no page',
  (title) => {
    expect(pageOf(title)).toBeNull()
  },
)

test('the longest title of a PDF fits with every number', () => {
  const last = { page: PDF_PAGES_MAX, pages: PDF_PAGES_MAX }
  const title = pageTitle('x'.repeat(PDF_TITLE_MAX), last)
  expect(title.length).toBeLessThanOrEqual(HANDOUT_TITLE_MAX)
})

test.each([
  ['Concept.pdf', { page: 3, pages: 12 }, 'Concept-03.png'],
  ['Concept.PDF', { page: 3, pages: 9 }, 'Concept-3.png'],
  ['概要', { page: 100, pages: 100 }, '概要-100.png'],
])('the image of a page of %s has its own file name', (pdf, number, name) => {
  expect(pageFileName(pdf, number, 'image/png')).toBe(name)
})

test('a photo has the file name of a photo', () => {
  expect(pageFileName('Shelf.pdf', { page: 1, pages: 1 }, 'image/jpeg')).toBe('Shelf-1.jpg')
})
