import type { PostedEvent } from '@interview-room/contract/live-stream.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { describe, expect, test } from 'vitest'
import type { ReceivedEvent } from '../../live/store.ts'
import { alertsOf } from './alerts.ts'

const ME = 'me'
const eventOf = (
  key: number,
  type: PostedEvent['type'],
  participantId = 'somebody',
): ReceivedEvent => ({
  key,
  isPast: false,
  type,
  participant_id: participantId,
  identity: participantId,
  display_name: participantId,
  payload: null,
  created_at: '2026-06-01T10:00:00.000Z',
})
const ROLES_OF: Readonly<Record<string, Role>> = { watching: 'observer', guest: 'panelist' }
/** A visitor of the simple route. */
const visitor = (event: ReceivedEvent) => ({ ...event, participant_id: null })
const about = (event: ReceivedEvent, purpose: string) => ({ ...event, payload: { purpose } })
const keysFor = (
  role: Role,
  facts: ReceivedEvent[],
  { dismissed = [0], isScreenShared = false } = {},
) =>
  alertsOf(facts, {
    isScreenShared,
    roleOf: (identity) => ROLES_OF[identity],
    role,
    dismissed: new Set(dismissed),
    isMine: (event) => event.participant_id === ME,
  }).map(({ key }) => key)

describe('an alert', () => {
  test.each([
    ['moderator', ['help.requested', 'consent.declined']],
    ['platform_observer', ['help.requested', 'consent.declined']],
    ['observer', []],
    ['panelist', []],
  ] as const)('is shown to a %s for %j', (role, types) => {
    const all = ['marker', 'help.requested', 'hand.raised', 'consent.given', 'consent.declined']
    const facts = all.map((type, at) => eventOf(at + 1, type as PostedEvent['type'], `p${at}`))
    const called = keysFor(role, facts).map((key) => facts[key - 1]?.type)
    expect(new Set(called)).toEqual(new Set(types))
  })

  test('is listed newest first, two at most', () => {
    const facts = [1, 2, 3].map((key) => eventOf(key, 'help.requested'))
    expect(keysFor('moderator', facts)).toEqual([3, 2])
  })

  test('of help comes before a later refusal', () => {
    const facts = [eventOf(1, 'help.requested'), eventOf(2, 'consent.declined')]
    expect(keysFor('moderator', facts)).toEqual([1, 2])
  })

  test('of a person who is hidden or has left waits until the own screen is no longer shared', () => {
    const callers = ['watching', 'guest', 'gone']
    const facts = callers.map((who, at) => eventOf(at + 1, 'help.requested', who))
    expect(keysFor('moderator', facts, { isScreenShared: true })).toEqual([2])
    expect(keysFor('moderator', facts)).toEqual([3, 2])
  })

  test('that was dismissed is not shown again', () => {
    const facts = [eventOf(1, 'help.requested'), eventOf(2, 'help.requested')]
    expect(keysFor('moderator', facts, { dismissed: [2] })).toEqual([1])
  })

  test('of help disappears for everybody when an operator answers, and comes again with the next call', () => {
    const answered = [eventOf(1, 'help.requested'), eventOf(2, 'help.answered', 'operator')]
    expect(keysFor('moderator', answered)).toEqual([])
    expect(keysFor('platform_observer', answered)).toEqual([])
    expect(keysFor('moderator', [...answered, eventOf(3, 'help.requested')])).toEqual([3])
  })

  test('of a refused consent disappears when it is given later', () => {
    const declined = eventOf(1, 'consent.declined')
    expect(keysFor('moderator', [declined, eventOf(2, 'consent.given')])).toEqual([])
    expect(keysFor('moderator', [declined, eventOf(2, 'consent.given', 'another')])).toEqual([1])
  })

  test('of a refused recording stays when the same person agrees to be watched', () => {
    const declined = about(eventOf(1, 'consent.declined'), 'recording')
    const given = eventOf(2, 'consent.given')
    expect(keysFor('moderator', [declined, about(given, 'observation')])).toEqual([1])
    expect(keysFor('moderator', [declined, about(given, 'recording')])).toEqual([])
  })

  test('of one guest is not settled by another if neither has a participant', () => {
    const declined = visitor(eventOf(1, 'consent.declined', 'one'))
    expect(keysFor('moderator', [declined, visitor(eventOf(2, 'consent.given', 'two'))])).toEqual([
      1,
    ])
    expect(keysFor('moderator', [declined, visitor(eventOf(2, 'consent.given', 'one'))])).toEqual(
      [],
    )
  })

  test('is not shown for an old event', () => {
    const past = { ...eventOf(1, 'help.requested'), isPast: true }
    expect(keysFor('moderator', [past])).toEqual([])
  })

  test("is not shown for one's own events", () => {
    expect(keysFor('moderator', [eventOf(1, 'help.requested', ME)])).toEqual([])
  })
})
