import { ALARM_CODES } from '@interview-room/contract/board.ts'
import { describe, expect, test } from 'vitest'
import { alarmsOf, type PersonOnBoard, type RoomState } from './alarms.ts'

/** Minutes and seconds around the start of the slot. */
const at = (min: number, sec = 0) => new Date(Date.UTC(2030, 0, 1, 10, min, sec))

function person(role: PersonOnBoard['role'], more: Partial<PersonOnBoard> = {}): PersonOnBoard {
  return {
    identity: role,
    participantId: null,
    role,
    displayName: role,
    inSince: at(0),
    line: 'good',
    poorSince: null,
    ...more,
  }
}

const MODERATOR = person('moderator')
const PANELIST = person('panelist')
const HIDDEN = [person('observer'), person('platform_observer')]
const RUNNING = {
  status: 'started',
  endedAt: null,
  interruptedAt: null,
  isBrokenOff: false,
} as const

/** An interview of an hour in which all is well. */
const WELL: RoomState = {
  startsAt: at(0),
  endsAt: at(60),
  archiveMode: 'always',
  people: [MODERATOR, PANELIST],
  panelistLeftAt: null,
  moderatorLeftAt: null,
  recording: RUNNING,
  lacks: [],
  helpRequests: [],
}

/** The state of the room, and the time of the check. */
type Seen = [facts: Partial<RoomState>, now: Date]

const codesOf = (facts: Partial<RoomState>, now: Date) =>
  alarmsOf({ ...WELL, ...facts }, now).map(({ code }) => code)

describe('a room in which all is well', () => {
  test.each([at(-30), at(0), at(5), at(30), at(60), at(90)])('has no alarm at %s', (now) => {
    expect(codesOf({}, now)).toEqual([])
  })

  test('has no alarm before or after the slot while nobody has entered', () => {
    const empty = { people: [], recording: null }
    expect(codesOf(empty, at(-1))).toEqual([])
    expect(codesOf(empty, at(60))).toEqual([])
  })
})

describe('RESPONDENT_MISSING', () => {
  // contract: listBoardRooms › Alarm RESPONDENT_MISSING
  test.each<[string, Seen, boolean]>([
    ['4:59 after the start', [{ people: [MODERATOR] }, at(4, 59)], false],
    ['5 min after the start', [{ people: [MODERATOR] }, at(5)], true],
    ['with observers and operators inside', [{ people: [MODERATOR, ...HIDDEN] }, at(5)], true],
    ['with a panelist inside', [{ people: [MODERATOR, PANELIST] }, at(5)], false],
    ['until the end', [{ people: [MODERATOR] }, at(59, 59)], true],
    ['not behind the end', [{ people: [MODERATOR] }, at(60)], false],
    [
      'not while a page reloads',
      [{ people: [MODERATOR], panelistLeftAt: at(20) }, at(20, 29)],
      false,
    ],
    [
      'when the panelist does not come back',
      [{ people: [MODERATOR], panelistLeftAt: at(20) }, at(20, 30)],
      true,
    ],
  ])('%s', (_when, [facts, now], isGiven) => {
    expect(codesOf(facts, now).includes('RESPONDENT_MISSING')).toBe(isGiven)
  })

  test('starts at the start of the slot, or when the panelist left', () => {
    const people = [MODERATOR]
    const since = (facts: Partial<RoomState>) => alarmsOf({ ...WELL, ...facts }, at(30))[0]?.since
    expect(since({ people })).toEqual(at(0))
    expect(since({ people, panelistLeftAt: at(-10) })).toEqual(at(0))
    expect(since({ people, panelistLeftAt: at(20) })).toEqual(at(20))
  })
})

describe('MODERATOR_MISSING', () => {
  // contract: listBoardRooms › Alarm MODERATOR_MISSING
  test.each<[string, Seen, boolean]>([
    ['before the start', [{ people: [PANELIST] }, at(0, -1)], false],
    ['at the start', [{ people: [PANELIST] }, at(0)], true],
    ['not behind the end', [{ people: [PANELIST] }, at(60)], false],
    [
      'not while a page reloads',
      [{ people: [PANELIST], moderatorLeftAt: at(9) }, at(9, 20)],
      false,
    ],
    ['with a moderator inside', [{}, at(0)], false],
  ])('%s', (_when, [facts, now], isGiven) => {
    expect(codesOf(facts, now).includes('MODERATOR_MISSING')).toBe(isGiven)
  })
})

describe('RECORDING_NOT_ACTIVE', () => {
  const none = { recording: null }
  const ended = {
    recording: { status: 'available', endedAt: at(20), interruptedAt: null, isBrokenOff: false },
  } as const
  const brokenOff = { recording: { ...ended.recording, isBrokenOff: true } } as const
  const failed = { recording: { ...ended.recording, status: 'failed' } } as const
  const interrupted = {
    recording: { status: 'paused', endedAt: null, interruptedAt: at(20), isBrokenOff: false },
  } as const
  const late = [person('moderator', { inSince: at(10) }), person('panelist', { inSince: at(12) })]
  // contract: listBoardRooms › Alarm RECORDING_NOT_ACTIVE
  test.each<[string, Seen, boolean]>([
    ['60 s after the start', [none, at(1)], false],
    ['more than 60 s after the start', [none, at(1, 1)], true],
    ['60 s after a person entered', [{ ...none, people: late }, at(11)], false],
    ['more than 60 s after a person entered', [{ ...none, people: late }, at(11, 1)], true],
    ['with a running recording', [{}, at(30)], false],
    ['with a paused recording', [{ recording: { ...RUNNING, status: 'paused' } }, at(30)], false],
    ['60 s after it ended', [ended, at(21)], false],
    ['more than 60 s after it ended', [ended, at(21, 1)], true],
    ['as soon as it has failed', [failed, at(20, 1)], true],
    ['of a manual recording that ended', [{ ...ended, archiveMode: 'manual' }, at(30)], false],
    [
      'of a manual recording that broke off',
      [{ ...brokenOff, archiveMode: 'manual' }, at(20, 15)],
      false,
    ],
    ['15 s later', [{ ...brokenOff, archiveMode: 'manual' }, at(20, 16)], true],
    ['as soon as its recorder has died', [interrupted, at(20)], true],
    [
      'of a recording that is started manually, too',
      [{ ...interrupted, archiveMode: 'manual' }, at(20)],
      true,
    ],
    ['where it is started manually', [{ ...none, archiveMode: 'manual' }, at(30)], false],
    ['with nobody inside who can be recorded', [{ ...none, people: HIDDEN }, at(30)], false],
    [
      'before the slot',
      [{ ...none, people: [person('panelist', { inSince: at(-20) })] }, at(-1)],
      false,
    ],
    ['after the slot', [none, at(60)], false],
  ])('%s', (_when, [facts, now], isGiven) => {
    expect(codesOf(facts, now).includes('RECORDING_NOT_ACTIVE')).toBe(isGiven)
  })
})

// contract: listBoardRooms › Alarm MEDIA_NOT_RECORDED
test('MEDIA_NOT_RECORDED names everybody present of whom something does not arrive, since the first', () => {
  const lacks = [
    { identity: 'panelist', since: at(12) },
    { identity: 'panelist', since: at(11) },
    { identity: 'somebody who left', since: at(10) },
  ]
  expect(alarmsOf({ ...WELL, lacks }, at(13))).toEqual([
    { code: 'MEDIA_NOT_RECORDED', displayName: 'panelist', since: at(11) },
  ])
})

describe('POOR_LINE', () => {
  // contract: listBoardRooms › Alarm POOR_LINE
  test.each([
    ['30 s', at(10, 30), false],
    ['longer than 30 s', at(10, 31), true],
  ])('of a connection that has been poor for %s', (_how, now, isGiven) => {
    const people = [MODERATOR, person('panelist', { line: 'poor', poorSince: at(10) })]
    const alarm = { code: 'POOR_LINE', since: at(10), displayName: 'panelist' }
    expect(alarmsOf({ ...WELL, people }, now)).toEqual(isGiven ? [alarm] : [])
  })

  test('is given for each person, observers and operators too', () => {
    const bad = { line: 'lost', poorSince: at(10) } as const
    const people = [MODERATOR, PANELIST, person('observer', bad), person('platform_observer', bad)]
    expect(codesOf({ people }, at(11))).toEqual(['POOR_LINE', 'POOR_LINE'])
  })
})

describe('HELP_REQUESTED', () => {
  // contract: listBoardRooms › Alarm HELP_REQUESTED
  test('names who asked and when, at any time', () => {
    const helpRequests = [{ displayName: 'Hanako', note: null, requestedAt: at(-5) }]
    expect(alarmsOf({ ...WELL, helpRequests }, at(-4))).toEqual([
      { code: 'HELP_REQUESTED', since: at(-5), displayName: 'Hanako' },
    ])
  })
})

test('alarms come in the order of their urgency', () => {
  const facts = {
    people: [person('observer', { line: 'poor', poorSince: at(10) })],
    recording: null,
    helpRequests: [{ displayName: 'Hanako', note: null, requestedAt: at(12) }],
  }
  const codes = codesOf(facts, at(20))
  expect(codes).toEqual(ALARM_CODES.filter((code) => codes.includes(code)))
  expect(codes).toHaveLength(4)
})
