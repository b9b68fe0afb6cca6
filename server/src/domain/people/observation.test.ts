import { expect, test } from 'vitest'
import type { ObservedPanelist } from './consent-store.ts'
import { observationOf } from './observation.ts'

const somebody = (given: Partial<ObservedPanelist>): ObservedPanelist => ({
  identity: 'one',
  answer: null,
  isPresent: false,
  isExpected: false,
  ...given,
})

test('an empty room is open to observers', () => {
  expect(observationOf([])).toEqual({ isOpen: true, withheld: [] })
})

test.each([
  ['present and has agreed', { answer: 'given', isPresent: true }, true],
  ['present and has not answered', { isPresent: true }, false],
  ['present and has declined', { answer: 'declined', isPresent: true }, false],
  ['present and has withdrawn', { answer: 'withdrawn', isPresent: true }, false],
  ['entering and has not answered', { isExpected: true }, true],
  ['entering and has declined', { answer: 'declined', isExpected: true }, false],
  ['entering and has agreed', { answer: 'given', isExpected: true }, true],
  ['away and had declined', { answer: 'declined' }, true],
] as const)('with a panelist who is %s', (_who, panelist, isOpen) => {
  const other = somebody({ identity: 'other', answer: 'given', isPresent: true })
  expect(observationOf([other, somebody(panelist)]).isOpen).toBe(isOpen)
})

test('messages of people who have not agreed are withheld from observers, even after they left', () => {
  const panelists = [
    somebody({ identity: 'silent' }),
    somebody({ identity: 'against', answer: 'declined' }),
    somebody({ identity: 'for', answer: 'given', isPresent: true }),
  ]
  expect(observationOf(panelists)).toEqual({ isOpen: true, withheld: ['silent', 'against'] })
})
