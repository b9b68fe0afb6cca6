import { describe, expect, test } from 'vitest'
import { CAPABILITIES } from './capabilities.ts'
import { ROLES } from './vocabulary.ts'

describe('capabilities by role', () => {
  test('exist for every role of the contract', () => {
    expect(Object.keys(CAPABILITIES).toSorted()).toEqual([...ROLES].toSorted())
  })

  test('allow publishing only to visible roles', () => {
    for (const role of ROLES) {
      const can = CAPABILITIES[role]
      const publishes = can.canPublishCamera || can.canPublishMicrophone || can.canShareScreen
      expect(publishes && !can.isVisible, role).toBe(false)
    }
  })

  test('hide observers and operators, and show moderators and panelists', () => {
    const visible = ROLES.filter((role) => CAPABILITIES[role].isVisible)
    expect(visible).toEqual(['moderator', 'panelist'])
  })
})
