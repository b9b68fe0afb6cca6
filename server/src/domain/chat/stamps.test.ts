import { ROLES, type Role } from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import { stampsOf } from './stamps.ts'

/** The stamp table of the contract. */
const TABLE: readonly [visibility: string, roles: Role[], identifiers: string[]][] = [
  ['private', ['moderator'], ['ok', 'ask_later', 'anything_else']],
  ['private', ['platform_observer'], ['guide', 'call', 'please_wait', 'reload']],
  ['observer_only', ['observer', 'platform_observer'], ['nice', 'ok', 'i_see', 'a_lot']],
  ['public', ['platform_observer'], ['please_reload', 'calling']],
]

const asText = (visibility: string, identifier: string) => `${visibility}/${identifier}`

describe('the stamps that a role may send', () => {
  // contract: listChatStamps › The stamp table: identifiers by visibility and role
  test.each(ROLES)('%s: exactly those of the table', (role) => {
    const expected = TABLE.filter(([, roles]) => roles.includes(role)).flatMap(
      ([visibility, , identifiers]) => identifiers.map((each) => asText(visibility, each)),
    )
    const found = stampsOf(role).map((stamp) => asText(stamp.visibility, stamp.identifier))
    expect(found).toEqual(expected)
  })

  // contract: listChatStamps › A panelist gets none
  test('are empty for a panelist', () => {
    expect(stampsOf('panelist')).toEqual([])
  })
})
