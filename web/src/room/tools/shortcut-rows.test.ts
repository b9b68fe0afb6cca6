import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import { expect, test } from 'vitest'
import { toolsEn } from '../../i18n/tools-en.ts'
import { shortcutRows } from './shortcut-rows.ts'

test.each(['moderator', 'panelist', 'observer', 'platform_observer'] as const)(
  'the keys of the recording and of the pages are listed for a moderator alone: %s',
  (role) => {
    const facts = { me: { role }, capabilities: CAPABILITIES[role] } as never
    const listed = shortcutRows(toolsEn, facts).map(({ keys }) => keys)
    const isModerator = role === 'moderator'
    expect(['Shift + R', 'PgUp', 'PgDn'].map((key) => listed.includes(key))).toEqual(
      Array.from({ length: 3 }, () => isModerator),
    )
  },
)
