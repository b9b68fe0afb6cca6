import { isHostMessage } from '@interview-room/contract/host-messages.ts'
import { describe, expect, test } from 'vitest'
import type { CallState } from '../../connection/call-state.ts'
import { CLOSED, LOST, OVER, REMOVED } from '../../connection/refusal.ts'
import { framersIn, hostMessageOf, refusedAtOnce } from './host-messages.ts'

const CHECKING: CallState = { phase: 'checking' }
const LIVE = { phase: 'live', facts: {}, scene: {} } as CallState
const RECONNECTING = { ...LIVE, phase: 'reconnecting' } as CallState
const LEFT = { phase: 'left', facts: {} } as CallState
const refused = (refusal: unknown, facts?: object) =>
  ({ phase: 'refused', refusal, ...(facts !== undefined && { facts }) }) as CallState

const EARLY = refused({ page: 'too-early' })

const said = (before: CallState, after: CallState) => {
  const message = hostMessageOf(before, after, 'r')
  if (message === undefined) return null
  expect(isHostMessage(message)).toBe(true)
  expect(message.room_id).toBe('r')
  return message.type === 'refused' ? `refused: ${message.reason}` : message.type
}

describe('a page in a frame says', () => {
  test.each([
    ['joined once', [CHECKING, LIVE], 'joined'],
    ['nothing when the connection breaks', [LIVE, RECONNECTING], null],
    ['nothing when it is back', [RECONNECTING, LIVE], null],
    ['left', [LIVE, LEFT], 'left'],
    ['joined again', [LEFT, LIVE], 'joined'],
    ['closed when the room closes', [LIVE, refused(CLOSED, {})], 'closed'],
    ['closed when the room is closed already', [CHECKING, refused(CLOSED)], 'closed'],
    ['closed when the time is over', [LIVE, refused(OVER, {})], 'closed'],
    ['refused when it is too late', [CHECKING, refused(OVER)], 'refused: over'],
    ['refused when removed', [LIVE, refused(REMOVED, {})], 'refused: removed'],
    ['refused when lost', [RECONNECTING, refused(LOST, {})], 'refused: lost'],
    ['refused while it is early', [CHECKING, EARLY], 'refused: too_early'],
    ['nothing more while it waits', [EARLY, EARLY], null],
  ] as const)('%s', (_name, [before, after], expected) => {
    expect(said(before, after)).toBe(expected)
  })

  test('the reason why it does not even ask', () => {
    expect(refusedAtOnce('r', 'bad_link')).toMatchObject({ type: 'refused', reason: 'bad_link' })
  })
})

describe('the origins that may frame a page', () => {
  test.each([
    [
      "default-src 'none'; frame-ancestors https://a.example https://b.example:8443; base-uri 'none'",
      ['https://a.example', 'https://b.example:8443'],
    ],
    ["frame-ancestors 'none'", []],
    ['', []],
  ])('are read from its policy %j', (policy, origins) => {
    expect(framersIn(policy)).toEqual(origins)
  })
})

test('other messages are not from a room', () => {
  for (const data of [null, 'joined', 1, {}, { source: 'other', version: 1 }]) {
    expect(isHostMessage(data)).toBe(false)
  }
})
