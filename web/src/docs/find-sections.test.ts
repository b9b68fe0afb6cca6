import { expect, test } from 'vitest'
import { findSections, type Section, snippetOf } from './find-sections.ts'

const section = (heading: string, text: string, page = 'Guide'): Section => ({
  href: `/docs/${heading}`,
  page,
  heading,
  text,
})

const SECTIONS = [
  section('Errors', 'A token that is refused answers 401.'),
  section('Sign a token', 'Use the private key.'),
  section('Webhooks', 'Verify the signature.', 'Token keys'),
]

const found = (wanted: string) => findSections(SECTIONS, wanted).map(({ heading }) => heading)

test('finds a word in headings first, then in titles of pages, then in texts', () => {
  expect(found('token')).toEqual(['Sign a token', 'Webhooks', 'Errors'])
})

test('finds only sections that have every word, in any order and case', () => {
  expect(found('KEY sign')).toEqual(['Sign a token', 'Webhooks'])
  expect(found('401 token')).toEqual(['Errors'])
  expect(found('nothing')).toEqual([])
  expect(found('  ')).toEqual([])
})

test('shows the words around what was looked for', () => {
  const long = section('Long', `${'before '.repeat(30)}needle ${'after '.repeat(30)}`)
  expect(snippetOf(long, 'needle')).toMatch(/^… before .*needle after .* …$/)
  expect(snippetOf(SECTIONS[1] as Section, 'private')).toBe('Use the private key.')
})
