import { describe, expect, test } from 'vitest'
import { openFakePage } from '../live/testing/fake-page.ts'
import { takeBoardToken } from './board-token.ts'

describe('the link of the board', () => {
  test('is read once and removed from the address bar', () => {
    const { page, shown } = openFakePage('/board?x#token=a.b.c')
    expect(takeBoardToken(page)).toBe('a.b.c')
    expect(shown).toEqual(['/board?x'])
  })

  test('is kept for a reload of the tab', () => {
    const kept = new Map<string, string>()
    takeBoardToken(openFakePage('/board#token=a.b.c', kept).page)
    expect(takeBoardToken(openFakePage('/board', kept).page)).toBe('a.b.c')
  })

  test('replaces the earlier one', () => {
    const kept = new Map<string, string>()
    takeBoardToken(openFakePage('/board#token=a.b.c', kept).page)
    expect(takeBoardToken(openFakePage('/board#token=d.e.f', kept).page)).toBe('d.e.f')
  })

  test.each(['', '#', '#other=1'])('without a token (%j) is undefined', (hash) => {
    expect(takeBoardToken(openFakePage(`/board${hash}`).page)).toBeNull()
  })
})
