import { escaped, type GuidePage, type Section } from './guide-pages.ts'

export type Listed = Pick<GuidePage, 'slug' | 'title'>

interface Listing {
  guide: readonly Listed[]
  reference: readonly Listed[]
}

/** The list of all pages, with the headings of the present one below it. */
export function navigation(
  { guide, reference }: Listing,
  present: { slug: string; sections: readonly Section[] },
): string {
  const group = (title: string, pages: readonly Listed[]) =>
    `<p>${title}</p>\n<ul>\n${pages.map((page) => item(page, present)).join('\n')}\n</ul>`
  return `${group('Guide', guide)}\n${group('Reference', reference)}`
}

function item(
  { slug, title }: Listed,
  present: { slug: string; sections: readonly Section[] },
): string {
  const link = `href="/docs/${slug}"`
  if (slug !== present.slug) return `<li><a ${link}>${escaped(title)}</a></li>`
  const headings = present.sections
    .filter(({ depth }) => depth === 2)
    .map(({ id, heading }) => `<li><a href="#${id}">${escaped(heading)}</a></li>`)
  const below = headings.length === 0 ? '' : `<ul>${headings.join('')}</ul>`
  return `<li><a ${link} aria-current="page">${escaped(title)}</a>${below}</li>`
}

/** Links to the page before and after this one. */
export function pageTurns({ guide, reference }: Listing, slug: string): string {
  const pages = [...guide, ...reference]
  const at = pages.findIndex((page) => page.slug === slug)
  const before = turn(pages[at - 1], 'prev', 'Previous')
  return `<nav class="turns" aria-label="Previous and next page">${before}${turn(pages[at + 1], 'next', 'Next')}</nav>`
}

function turn(page: Listed | undefined, rel: 'prev' | 'next', words: string): string {
  if (page === undefined) return ''
  return `<a rel="${rel}" href="/docs/${page.slug}"><span>${words}</span> <span>${escaped(page.title)}</span></a>`
}

/** A section as the search finds it. */
interface Indexed {
  href: string
  page: string
  heading: string
  text: string
}

export function searchIndex(pages: readonly GuidePage[]): Indexed[] {
  return pages.flatMap(({ slug, title, sections }) =>
    sections.map(({ id, depth, heading, text }) => ({
      href: `/docs/${slug}${depth === 1 ? '' : `#${id}`}`,
      page: title,
      heading,
      text,
    })),
  )
}
