import { expect, test } from 'vitest'
import { rosterChanges } from './roster-changes.ts'

const me = { identity: '0', name: 'Me', isLocal: true }
const aki = { identity: '1', name: 'Aki', isLocal: false }
const ben = { identity: '2', name: 'Ben', isLocal: false }

test('announces who joined and who left, but not oneself', () => {
  expect(rosterChanges([me, aki], [me, ben])).toEqual({ came: ['Ben'], went: ['Aki'] })
  expect(rosterChanges([], [me])).toEqual({ came: [], went: [] })
})
