import { describe, expect, test } from 'vitest'
import { takeBoardToken } from './board-token.ts'

function pageAt(hash: string, kept = new Map<string, string>()) {
  const shown: string[] = []
  return {
    kept,
    shown,
    page: {
      location: { pathname: '/board', search: '?x', hash },
      history: {
        replaceState: (_: unknown, __: string, url?: string | URL | null) =>
          void shown.push(String(url)),
      },
      storage: {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => void kept.set(key, value),
      },
    },
  }
}

describe('the link of the board', () => {
  test('is read once and removed from the address bar', () => {
    const { page, shown } = pageAt('#token=a.b.c')
    expect(takeBoardToken(page)).toBe('a.b.c')
    expect(shown).toEqual(['/board?x'])
  })

  test('is kept for a reload of the tab', () => {
    const { page, kept } = pageAt('#token=a.b.c')
    takeBoardToken(page)
    expect(takeBoardToken(pageAt('', kept).page)).toBe('a.b.c')
  })

  test('replaces the earlier one', () => {
    const { page, kept } = pageAt('#token=a.b.c')
    takeBoardToken(page)
    expect(takeBoardToken(pageAt('#token=d.e.f', kept).page)).toBe('d.e.f')
  })

  test.each(['', '#', '#other=1'])('without a token (%j) is undefined', (hash) => {
    expect(takeBoardToken(pageAt(hash).page)).toBeNull()
  })
})
