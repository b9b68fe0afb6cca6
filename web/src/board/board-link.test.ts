import { describe, expect, test } from 'vitest'
import { takeBoardLink } from './board-link.ts'

function placeAt(hash: string, kept = new Map<string, string>()) {
  const shown: string[] = []
  return {
    kept,
    shown,
    place: {
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
  test('is read once and taken out of the address bar', () => {
    const { place, shown } = placeAt('#token=a.b.c')
    expect(takeBoardLink(place)).toBe('a.b.c')
    expect(shown).toEqual(['/board?x'])
  })

  test('is found again by a reload of the tab', () => {
    const { place, kept } = placeAt('#token=a.b.c')
    takeBoardLink(place)
    expect(takeBoardLink(placeAt('', kept).place)).toBe('a.b.c')
  })

  test('replaces the one before', () => {
    const { place, kept } = placeAt('#token=a.b.c')
    takeBoardLink(place)
    expect(takeBoardLink(placeAt('#token=d.e.f', kept).place)).toBe('d.e.f')
  })

  test.each(['', '#', '#other=1'])('that carries nothing (%j) is none', (hash) => {
    expect(takeBoardLink(placeAt(hash).place)).toBeNull()
  })
})
