import { describe, expect, test } from 'vitest'
import { takeEntryLink } from './entry-link.ts'

function place(hash: string, stored = new Map<string, string>()) {
  const shown: string[] = []
  return {
    shown,
    stored,
    location: { pathname: '/r/0199', search: '', hash },
    history: {
      replaceState: (_: unknown, __: string, url?: string | URL | null) => {
        shown.push(String(url))
      },
    },
    storage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => {
        stored.set(key, value)
      },
    },
  }
}

function tokenOf(claims: object): string {
  return `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`
}

describe('the link', () => {
  test('with a participant token gives role, name and language', () => {
    const token = tokenOf({ role: 'observer', name: '田中 見学', locale: 'en' })
    expect(takeEntryLink(place(`#token=${token}`))).toEqual({
      roomId: '0199',
      secret: { kind: 'token', value: token },
      role: 'observer',
      name: '田中 見学',
      locale: 'en',
    })
  })

  test('is removed from the address bar with its secret, and kept for a reload', () => {
    const first = place(`#token=${tokenOf({ role: 'panelist', name: 'P' })}&lang=en`)
    const link = takeEntryLink(first)
    expect(first.shown).toEqual(['/r/0199'])
    expect(link.locale).toBe('en')
    expect(takeEntryLink(place('', first.stored))).toEqual(link)
  })

  test('of the simple route enters as a panelist whose name is asked for', () => {
    const { secret, role, name } = takeEntryLink(place('#access_token=abc'))
    expect({ secret, role, name }).toEqual({
      secret: { kind: 'access', value: 'abc' },
      role: 'panelist',
      name: '',
    })
  })

  test('without a secret has none', () => {
    expect(takeEntryLink(place('')).secret).toBeNull()
  })

  test('with a broken token is kept for the service to judge', () => {
    expect(takeEntryLink(place('#token=%%%.x')).secret?.kind).toBe('token')
  })
})
