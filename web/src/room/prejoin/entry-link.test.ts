import { describe, expect, test } from 'vitest'
import { openFakePage } from '../../live/testing/fake-page.ts'
import { type EntryLink, takeEntryLink } from './entry-link.ts'

const take = (hash: string): EntryLink => takeEntryLink(openFakePage(`/r/0199${hash}`).page)

function tokenOf(claims: object): string {
  return `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`
}

describe('the link', () => {
  test('with a participant token contains role, name and language', () => {
    const token = tokenOf({ role: 'observer', name: '田中 見学', locale: 'en' })
    expect(take(`#token=${token}`)).toEqual({
      roomId: '0199',
      secret: { kind: 'token', value: token },
      role: 'observer',
      name: '田中 見学',
      locale: 'en',
    })
  })

  test('is removed from the address bar with its secret, and kept for a reload', () => {
    const kept = new Map<string, string>()
    const token = tokenOf({ role: 'panelist', name: 'P' })
    const { page, shown } = openFakePage(`/r/0199#token=${token}&lang=en`, kept)
    const link = takeEntryLink(page)
    expect(shown).toEqual(['/r/0199'])
    expect(link.locale).toBe('en')
    expect(takeEntryLink(openFakePage('/r/0199', kept).page)).toEqual(link)
  })

  test('of the simple route enters as a panelist who is asked for a name', () => {
    const { secret, role, name } = take('#access_token=abc')
    expect({ secret, role, name }).toEqual({
      secret: { kind: 'access', value: 'abc' },
      role: 'panelist',
      name: '',
    })
  })

  test('without a secret has no credential', () => {
    expect(take('').secret).toBeNull()
  })

  test('with a broken token keeps it for the service to refuse', () => {
    expect(take('#token=%%%.x').secret?.kind).toBe('token')
  })
})
