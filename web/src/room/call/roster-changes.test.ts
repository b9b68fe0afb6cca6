import { expect, test } from 'vitest'
import { rosterChanges, sightAfter } from './roster-changes.ts'

const me = { identity: '0', name: 'Me', isLocal: true }
const aki = { identity: '1', name: 'Aki', isLocal: false }
const ben = { identity: '2', name: 'Ben', isLocal: false }

test('announces who joined and who left, but not oneself', () => {
  expect(rosterChanges([me, aki], [me, ben])).toEqual({ came: ['Ben'], went: ['Aki'] })
  expect(rosterChanges([], [me])).toEqual({ came: [], went: [] })
})

test('nobody leaves or returns while the own connection is being replaced', () => {
  const before = { people: [me, aki], phase: 'live' } as const
  const cut = sightAfter(before, { people: [me], phase: 'reconnecting' })
  expect(cut).toEqual({ people: [me, aki], phase: 'reconnecting' })
  const back = sightAfter(cut, { people: [me, aki, ben], phase: 'live' })
  expect(rosterChanges(cut.people, back.people)).toEqual({ came: ['Ben'], went: [] })
})
