import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import { expect, test } from 'vitest'
import { toolsEn } from '../../i18n/tools-en.ts'
import { shortcutRows } from './shortcut-rows.ts'

test.each(['moderator', 'panelist', 'observer', 'platform_observer'] as const)(
  'the key of the recording is listed for a moderator alone: %s',
  (role) => {
    const facts = { me: { role }, capabilities: CAPABILITIES[role] } as never
    const listed = shortcutRows(toolsEn, facts).map(({ keys }) => keys)
    expect(listed.includes('R')).toBe(role === 'moderator')
  },
)
