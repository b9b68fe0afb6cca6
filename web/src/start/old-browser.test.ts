import { expect, test } from 'vitest'
import { isTooOld } from './old-browser.ts'

/** The features of the oldest browsers in docs/browsers.md. */
const oldest = {
  Array: { prototype: { toSorted: () => [] } as object },
  Intl: { Segmenter: Object } as object,
  Document: { prototype: { adoptedStyleSheets: [] } as object },
  CSS: { supports: (property: string) => property === 'container-type' },
}

test('a browser with all required features is not too old', () => {
  expect(isTooOld(oldest)).toBe(false)
})

test.each([
  { lacks: 'copies of lists that are sorted', browser: { ...oldest, Array: { prototype: {} } } },
  { lacks: 'Intl.Segmenter', browser: { ...oldest, Intl: {} } },
  { lacks: 'constructed style sheets', browser: { ...oldest, Document: { prototype: {} } } },
  { lacks: 'container queries', browser: { ...oldest, CSS: { supports: () => false } } },
  { lacks: 'any question about styles', browser: { ...oldest, CSS: {} } },
])('a browser without $lacks is too old', ({ browser }) => {
  expect(isTooOld(browser)).toBe(true)
})
