import { expect, test } from 'vitest'
import { openFakePage } from '../live/testing/fake-page.ts'
import { takeTestLink } from './test-link.ts'

test('the ticket is read once, removed from the address bar, and kept for a reload', () => {
  const kept = new Map<string, string>()
  const { page, shown } = openFakePage('/t/abc?x=1#ticket=secret-1', kept)
  expect(takeTestLink(page)).toEqual({ connectionTestId: 'abc', ticket: 'secret-1' })
  expect(shown).toEqual(['/t/abc?x=1'])
  expect(takeTestLink(openFakePage('/t/abc', kept).page).ticket).toBe('secret-1')
})

test('a newer ticket replaces the one that was kept', () => {
  const kept = new Map<string, string>()
  takeTestLink(openFakePage('/t/abc#ticket=old', kept).page)
  expect(takeTestLink(openFakePage('/t/abc#ticket=new', kept).page).ticket).toBe('new')
})

test.each(['', '#', '#other=1', '#ticket=', '#ticket=%E9%8D%B5'])(
  'the link %j has no ticket',
  (hash) => {
    expect(takeTestLink(openFakePage(`/t/abc${hash}`).page).ticket).toBeNull()
  },
)
