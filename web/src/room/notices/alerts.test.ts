import type { Fact } from '@interview-room/contract/live-stream.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import type { ToldFact } from '../../live/store.ts'
import { alertsOf } from './alerts.ts'

const ME = 'me'
const told = (key: number, type: Fact['type'], participantId = 'somebody'): ToldFact => ({
  key,
  isPast: false,
  type,
  participant_id: participantId,
  identity: participantId,
  display_name: participantId,
  payload: null,
  created_at: '2026-06-01T10:00:00.000Z',
})
/** Somebody of the simple route. */
const visitor = (fact: ToldFact) => ({ ...fact, participant_id: null })
const keysFor = (role: Role, facts: ToldFact[], { dismissed = [0], isHandUp = true } = {}) =>
  alertsOf(facts, {
    hasHandRaised: () => isHandUp,
    role,
    dismissed: new Set(dismissed),
    isMine: (fact) => fact.participant_id === ME,
  }).map(({ key }) => key)

describe('an alert', () => {
  test.each([
    ['moderator', ['help.requested', 'hand.raised', 'consent.declined']],
    ['platform_observer', ['help.requested', 'consent.declined']],
    ['observer', []],
    ['panelist', []],
  ] as const)('calls for a %s by %j', (role, types) => {
    const all = ['marker', 'help.requested', 'hand.raised', 'consent.given', 'consent.declined']
    const facts = all.map((type, at) => told(at + 1, type as Fact['type'], `p${at}`))
    const called = keysFor(role, facts).map((key) => facts[key - 1]?.type)
    expect(new Set(called)).toEqual(new Set(types))
  })

  test('stands with the newest first, three at most', () => {
    const facts = [1, 2, 3, 4].map((key) => told(key, 'help.requested'))
    expect(keysFor('moderator', facts)).toEqual([4, 3, 2])
  })

  test('of help stands before a hand that was raised later', () => {
    const facts = [told(1, 'help.requested'), told(2, 'hand.raised')]
    expect(keysFor('moderator', facts)).toEqual([1, 2])
  })

  test('that was dismissed is gone', () => {
    const facts = [told(1, 'help.requested'), told(2, 'help.requested')]
    expect(keysFor('moderator', facts, { dismissed: [2] })).toEqual([1])
  })

  test('of a hand goes with the hand, and does not pile up', () => {
    const raised = told(1, 'hand.raised')
    expect(keysFor('moderator', [raised, told(2, 'hand.lowered')])).toEqual([])
    expect(keysFor('moderator', [raised, told(2, 'hand.lowered', 'another')])).toEqual([1])
    expect(keysFor('moderator', [raised, told(2, 'hand.raised')])).toEqual([2])
    // Whoever left took the hand along.
    expect(keysFor('moderator', [raised], { isHandUp: false })).toEqual([])
  })

  test('of a consent that was refused goes when it is given after all', () => {
    const declined = told(1, 'consent.declined')
    expect(keysFor('moderator', [declined, told(2, 'consent.given')])).toEqual([])
    expect(keysFor('moderator', [declined, told(2, 'consent.given', 'another')])).toEqual([1])
  })

  test('of one visitor is not settled by another, where nobody has a participant', () => {
    const declined = visitor(told(1, 'consent.declined', 'one'))
    expect(keysFor('moderator', [declined, visitor(told(2, 'consent.given', 'two'))])).toEqual([1])
    expect(keysFor('moderator', [declined, visitor(told(2, 'consent.given', 'one'))])).toEqual([])
  })

  test('is none for a call of long ago, except for a hand that is still up', () => {
    const [help, hand] = [told(1, 'help.requested'), told(2, 'hand.raised')]
    const past = [help, hand].map((fact) => ({ ...fact, isPast: true }))
    expect(keysFor('moderator', past)).toEqual([2])
    expect(keysFor('moderator', past, { isHandUp: false })).toEqual([])
  })

  test('is none for what one did oneself', () => {
    expect(keysFor('moderator', [told(1, 'help.requested', ME)])).toEqual([])
  })
})
