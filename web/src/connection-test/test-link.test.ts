import { expect, test } from 'vitest'
import { takeTestLink } from './test-link.ts'

function place(hash: string, kept: Record<string, string> = {}) {
  const storage = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => void (kept[key] = value),
  }
  const shown: string[] = []
  const history = {
    replaceState: (_data: unknown, _title: string, address?: string | URL | null) =>
      void shown.push(String(address)),
  }
  return { location: { pathname: '/t/abc', search: '?x=1', hash }, history, storage, kept, shown }
}

test('the ticket is read once, removed from the address bar, and kept for a reload', () => {
  const first = place('#ticket=secret-1')
  expect(takeTestLink(first)).toEqual({ connectionTestId: 'abc', ticket: 'secret-1' })
  expect(first.shown).toEqual(['/t/abc?x=1'])
  expect(takeTestLink(place('', first.kept)).ticket).toBe('secret-1')
})

test('a newer ticket replaces the one that was kept', () => {
  const first = place('#ticket=old')
  takeTestLink(first)
  expect(takeTestLink(place('#ticket=new', first.kept)).ticket).toBe('new')
})

test.each(['', '#', '#other=1', '#ticket=', '#ticket=%E9%8D%B5', '#ticket=a%20b'])(
  'the link %j has no ticket',
  (hash) => {
    expect(takeTestLink(place(hash)).ticket).toBeNull()
  },
)
