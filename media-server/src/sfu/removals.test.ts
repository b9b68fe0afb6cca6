import { decodeJwt } from 'jose'
import { describe, expect, test, vi } from 'vitest'
import { signClaims } from '../api/tokens.ts'
import { Removals } from './removals.ts'

const REMOVED_AT_MS = 1_780_000_100_500
const used = { tokenId: 'used', issuedAtSec: 1_780_000_100 }

describe('after a removal', () => {
  test.each([
    ['a token of an earlier second', { tokenId: 'a', issuedAtSec: 1_780_000_099 }, true],
    ['the token that was in use, of the same second', used, true],
    ['another token of the same second', { tokenId: 'a', issuedAtSec: 1_780_000_100 }, false],
    [
      'a token with an earlier time of issue',
      { tokenId: 'a', issuedAtSec: 1_780_000_100.499 },
      true,
    ],
    ['a token with a later time of issue', { tokenId: 'a', issuedAtSec: 1_780_000_100.501 }, false],
    ['a token of a later second', { tokenId: 'a', issuedAtSec: 1_780_000_101 }, false],
    ['a token without a time of issue', { tokenId: 'a', issuedAtSec: undefined }, true],
  ])('%s is refused: %j, %s', (_what, token, isRefused) => {
    const removals = new Removals()
    removals.note('alice', { atMs: REMOVED_AT_MS, used })
    expect(removals.isRefused({ identity: 'alice', ...token })).toBe(isRefused)
    expect(removals.isRefused({ identity: 'bob', ...token })).toBe(false)
  })

  test('a second one keeps the first', () => {
    const removals = new Removals()
    removals.note('alice', { atMs: REMOVED_AT_MS, used })
    removals.note('alice', { atMs: REMOVED_AT_MS + 100, used: undefined })
    expect(removals.isRefused({ identity: 'alice', ...used })).toBe(true)
  })
})

test('a token of the server is exact, also of the first millisecond of a second', async () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_780_000_100_000)
  const claims = {
    apiKey: 'key',
    identity: 'alice',
    name: '',
    metadata: '',
    attributes: {},
    kind: '',
  }
  const token = await signClaims(
    { ...claims, video: {} },
    { key: 'a-secret-of-32-characters-at-least' },
  )
  now.mockRestore()
  const removals = new Removals()
  removals.note('alice', { atMs: REMOVED_AT_MS, used: undefined })
  const issued = { tokenId: 'refreshed', issuedAtSec: decodeJwt(token).iat }
  expect(removals.isRefused({ identity: 'alice', ...issued })).toBe(true)
})
