import { expect, test } from 'vitest'
import { isTooOld } from './old-browser.ts'

/** As in the oldest browsers of docs/browsers.md. */
const oldest = {
  Array: { prototype: { toSorted: () => [] } as object },
  Intl: { Segmenter: Object } as object,
  Document: { prototype: { adoptedStyleSheets: [] } as object },
  CSS: { supports: (property: string) => property === 'container-type' },
}

test('a browser with what the pages need is not too old', () => {
  expect(isTooOld(oldest)).toBe(false)
})

test.each([
  { lacks: 'copies of lists that are sorted', browser: { ...oldest, Array: { prototype: {} } } },
  { lacks: 'Intl.Segmenter', browser: { ...oldest, Intl: {} } },
  { lacks: 'constructed style sheets', browser: { ...oldest, Document: { prototype: {} } } },
  { lacks: 'container queries', browser: { ...oldest, CSS: { supports: () => false } } },
  { lacks: 'any question about styles', browser: { ...oldest, CSS: {} } },
])('one without $lacks is', ({ browser }) => {
  expect(isTooOld(browser)).toBe(true)
})
