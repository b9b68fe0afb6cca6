import { describe, expect, test } from 'vitest'
import { takeParameters } from './tab-storage.ts'
import { openFakePage } from './testing/fake-page.ts'

describe('the parameters of a link', () => {
  test('are removed from the address bar', () => {
    const { page, shown } = openFakePage('/board?x=1#token=a.b.c')
    expect(takeParameters(page)?.get('token')).toBe('a.b.c')
    expect(shown).toEqual(['/board?x=1'])
  })

  test.each(['/board', '/board#'])('are null for %s', (link) => {
    const { page, shown } = openFakePage(link)
    expect(takeParameters(page)).toBeNull()
    expect(shown).toEqual([])
  })

  test('stay in the address if the browser stores nothing, so that a reload finds them', () => {
    const { page, shown } = openFakePage('/board#token=a.b.c', null)
    expect(takeParameters(page)?.get('token')).toBe('a.b.c')
    expect(shown).toEqual([])
  })
})

describe('the storage of a tab', () => {
  test.each([
    { title: 'that keeps what it is given', kept: new Map<string, string>() },
    { title: 'that is denied', kept: null },
  ])('$title keeps a value until the page is left', ({ kept }) => {
    const { storage } = openFakePage('/', kept).page
    expect(storage.isKept).toBe(kept !== null)
    storage.setItem('a', '1')
    expect(storage.getItem('a')).toBe('1')
    storage.removeItem('a')
    expect(storage.getItem('a')).toBeNull()
  })
})
