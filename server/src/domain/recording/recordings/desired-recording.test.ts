import { describe, expect, test } from 'vitest'
import { type DesiredAction, desiredActionOf } from './desired-recording.ts'
import type { LastRecording, RecordedRoom } from './running-store.ts'

interface RoomState extends RecordedRoom {
  runningSince: Date | null
  isPublished: boolean
  lacksConsent: boolean
  isRefused: boolean
  last: LastRecording | undefined
}

function actionOf(
  { runningSince: since, isPublished, lacksConsent, isRefused, last, ...room }: RoomState,
  now: Date,
): DesiredAction {
  const unsaid = { isIntention: false, interruptedAt: null, restarts: 0 }
  const running =
    since === null
      ? undefined
      : ({ id: 'recording', status: 'started', outputMode: 'composed', since, ...unsaid } as const)
  const consents = { missing: lacksConsent ? ['p1'] : [], refused: isRefused ? ['p1'] : [] }
  return desiredActionOf({ room, running, last, segments: [], consents }, isPublished, now)
}

const STARTS_AT = new Date('2026-06-01T10:00:00.000Z')
const ENDS_AT = new Date('2026-06-01T11:00:00.000Z')
const at = (time: string) => new Date(`2026-06-01T${time}.000Z`)

/** A person publishes in a room that is always recorded, in the middle of its slot. */
const ROOM: RoomState = {
  tenantId: 'tenant',
  roomId: 'room',
  archiveMode: 'always',
  archiveResolution: '1280x720',
  streamFrameRate: 15,
  isReleased: false,
  startsAt: STARTS_AT,
  endsAt: ENDS_AT,
  runningSince: null,
  isPublished: true,
  presentCount: 2,
  lastLeftAt: null,
  lacksConsent: false,
  isRefused: false,
  last: undefined,
}
const RUNNING: RoomState = { ...ROOM, runningSince: at('10:05:00') }
const ENDED = {
  outputMode: 'composed',
  hasFailed: false,
  stopReason: 'everybody_left',
  endedAt: at('10:20:00'),
  everybodyLeftSince: false,
  failures: 0,
} as const

const START: DesiredAction = { do: 'start' }
const LOOK_SOON: DesiredAction = { do: 'look', at: at('10:20:05') }
const NOTHING: DesiredAction = { do: 'nothing' }

describe('a room that is not being recorded', () => {
  const TABLE: readonly (readonly [
    what: string,
    facts: Partial<RoomState>,
    now: string,
    DesiredAction,
  ])[] = [
    ['somebody publishes', {}, '10:10:00', START],
    ['at the opening of the window', {}, '09:30:00', START],
    ['before the window', {}, '09:29:59', NOTHING],
    ['at the end of the window', {}, '11:30:00', START],
    ['after the window', {}, '11:30:01', NOTHING],
    ['without a slot', { startsAt: null, endsAt: null }, '23:00:00', START],
    ['somebody has not agreed yet', { lacksConsent: true }, '10:10:00', NOTHING],
    ['nobody publishes', { isPublished: false }, '10:10:00', NOTHING],
    ['manual only', { archiveMode: 'manual' }, '10:10:00', NOTHING],
    ['closed or cancelled', { isReleased: true }, '10:10:00', NOTHING],
    ['people came back', { last: ENDED }, '10:30:00', START],
    [
      'stopped by a moderator',
      { last: { ...ENDED, stopReason: 'moderator' } },
      '10:30:00',
      NOTHING,
    ],
    [
      'stopped by a moderator, and everybody left',
      { last: { ...ENDED, stopReason: 'moderator', everybodyLeftSince: true } },
      '10:30:00',
      START,
    ],
    [
      'its egress ended without a request',
      { last: { ...ENDED, stopReason: 'provider' } },
      '10:20:00',
      START,
    ],
    [
      'failed a moment ago',
      { last: { ...ENDED, hasFailed: true, failures: 1 } },
      '10:20:04',
      { do: 'look', at: at('10:20:05') },
    ],
    [
      'failed five seconds ago',
      { last: { ...ENDED, hasFailed: true, failures: 1 } },
      '10:20:05',
      START,
    ],
    [
      'failed twice',
      { last: { ...ENDED, hasFailed: true, failures: 2 } },
      '10:20:05',
      { do: 'look', at: at('10:20:30') },
    ],
    [
      'failed four times',
      { last: { ...ENDED, hasFailed: true, failures: 4 } },
      '10:20:30',
      { do: 'look', at: at('10:22:00') },
    ],
    [
      'failed often',
      { last: { ...ENDED, hasFailed: true, failures: 30 } },
      '10:20:30',
      { do: 'look', at: at('10:30:00') },
    ],
  ]

  const BROKEN_OFF = { ...ENDED, stopReason: 'provider' } as const
  const BY_HAND: typeof TABLE = [
    ['it broke off a moment ago', { last: BROKEN_OFF }, '10:20:04', LOOK_SOON],
    ['it broke off', { last: BROKEN_OFF }, '10:20:05', START],
    ['it failed', { last: { ...BROKEN_OFF, hasFailed: true, failures: 1 } }, '10:20:05', START],
    [
      'it broke off, and everybody left',
      { last: { ...BROKEN_OFF, everybodyLeftSince: true } },
      '10:30:00',
      NOTHING,
    ],
    ['a moderator ended it', { last: { ...ENDED, stopReason: 'moderator' } }, '10:30:00', NOTHING],
    ['everybody left it', { last: ENDED }, '10:30:00', NOTHING],
    [
      'somebody withdrew consent',
      { last: { ...ENDED, stopReason: 'consent_refused' } },
      '10:30:00',
      NOTHING,
    ],
    [
      'it broke off, nobody publishes',
      { last: BROKEN_OFF, isPublished: false },
      '10:30:00',
      NOTHING,
    ],
  ]

  test.each(BY_HAND)('manual: %s', (...[, facts, now, action]) => {
    expect(actionOf({ ...ROOM, archiveMode: 'manual', ...facts }, at(now))).toEqual(action)
  })

  test.each(TABLE)('%s', (...[, facts, now, action]) => {
    expect(actionOf({ ...ROOM, ...facts }, at(now))).toEqual(action)
  })
})

describe('a room that is being recorded', () => {
  const TABLE: readonly (readonly [
    what: string,
    facts: Partial<RoomState>,
    now: string,
    DesiredAction,
  ])[] = [
    ['somebody is inside', {}, '10:10:00', NOTHING],
    ['manual, too', { archiveMode: 'manual' }, '10:10:00', NOTHING],
    ['somebody has not answered', { lacksConsent: true }, '10:10:00', NOTHING],
    [
      'somebody does not agree',
      { lacksConsent: true, isRefused: true },
      '10:10:00',
      { do: 'stop', reason: 'consent_refused' },
    ],
    ['closed', { isReleased: true }, '10:10:00', { do: 'stop', reason: 'room_closed' }],
    ['during the notice after the window', {}, '11:30:59', NOTHING],
    ['after the notice', {}, '11:31:00', { do: 'stop', reason: 'window_ended' }],
    [
      'empty for less than a minute',
      { presentCount: 0, lastLeftAt: at('10:40:00') },
      '10:40:59',
      { do: 'look', at: at('10:41:00') },
    ],
    [
      'empty for a minute',
      { presentCount: 0, lastLeftAt: at('10:40:00') },
      '10:41:00',
      { do: 'stop', reason: 'everybody_left' },
    ],
    [
      'started after somebody left',
      { presentCount: 0, lastLeftAt: at('10:01:00') },
      '10:05:59',
      { do: 'look', at: at('10:06:00') },
    ],
  ]

  test.each(TABLE)('%s', (...[, facts, now, action]) => {
    expect(actionOf({ ...RUNNING, ...facts }, at(now))).toEqual(action)
  })
})
