import { describe, expect, test } from 'vitest'
import { idIn, takeParameters } from './tab-storage.ts'
import { openFakePage } from './testing/fake-page.ts'

describe('the parameters of a link', () => {
  test('are removed from the address bar', () => {
    const { page, shown } = openFakePage('/board?x=1#token=a.b.c')
    expect(takeParameters(page)?.get('token')).toBe('a.b.c')
    expect(shown).toEqual(['/board?x=1'])
  })

  test.each([
    '/r/0199#token=h.p-1_2.s',
    '/r/0199%23token=h.p-1_2.s',
    '/r/0199%23token=h.p-1_2.s&lang=en',
    '/r/0199?token=h.p-1_2.s',
    '/r/0199/?token=h.p-1_2.s',
    '/r/0199?utm_source=mail&token=h.p-1_2.s',
    '/r/0199?fbclid=1#token=h.p-1_2.s',
    '/r/0199#token=h.p-1_2.s.',
    '/r/0199#token=h.p-1_2.s」',
    '/r/0199#token=h.p-1_2.s%3E',
    '/r/0199#token=h.p-1_2.s>',
    '/r/0199#token=h.p-1_2.s%20',
    '/r/0199#token=h.p-1_2.s)',
    '/r/0199#token=h.p-1%E2%80%8B_2.s',
    '/r/0199#token=h.p-1%0D%0A_2.s',
    '/r/0199#token=h.p-1%C2%AD_2.s',
    '/r/0199#token%3Dh.p-1_2.s',
    '/r/0199#lang=en&amp;token=h.p-1_2.s',
    '/r/0199#token=h.p-1_2.s&utm_source=mail',
    '/r/0199#?token=h.p-1_2.s',
  ])('are read from the altered link %s, and leave the address bar', (link) => {
    const { page } = openFakePage(link)
    expect(idIn(page.location)).toBe('0199')
    expect(takeParameters(page)?.get('token')).toBe('h.p-1_2.s')
    const { pathname, search, hash } = page.location
    expect(pathname + search + hash).not.toContain('token')
    expect(idIn(page.location)).toBe('0199')
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
