import { type PageNumber, pageOf } from './page-names.ts'

interface TitledHandout {
  id: string
  title: string | null
}

export interface PagesBeside<T> {
  place: PageNumber
  previous: T | null
  next: T | null
}

/**
 * The pages of the same PDF before and after the shown one. Null for any other handout, and for a single page. Titles
 * and order decide which pages belong together, because the list may contain the same PDF twice.
 */
export function pagesBeside<T extends TitledHandout>(
  ordered: readonly T[],
  shownId: string | null,
): PagesBeside<T> | null {
  const shown = ordered.findIndex(({ id }) => id === shownId)
  const place = numberOf(ordered[shown])
  if (place === null) return null
  const isOfSame = (other: T) => {
    const number = numberOf(other)
    return number?.title === place.title && number.pages === place.pages
  }
  const before = ordered.slice(0, shown).findLast(isOfSame)
  const after = ordered.slice(shown + 1).find(isOfSame)
  // Another copy begins where the page numbers start again.
  const previous = before !== undefined && numberOf(before)!.page < place.page ? before : null
  const next = after !== undefined && numberOf(after)!.page > place.page ? after : null
  if (previous === null && next === null) return null
  return { place: { page: place.page, pages: place.pages }, previous, next }
}

const numberOf = (handout: TitledHandout | undefined) => pageOf(handout?.title ?? '')
