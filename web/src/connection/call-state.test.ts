import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import { describe, expect, test } from 'vitest'
import {
  type CallEvent,
  type CallState,
  EMPTY_SCENE,
  isAlone,
  nextState,
  type Person,
} from './call-state.ts'
import { CLOSED, LOST, UNAVAILABLE } from './refusal.ts'
import { PREVIEW } from './testing/call-world.ts'

const facts = {
  me: { role: 'panelist', name: 'P' },
  capabilities: CAPABILITIES.panelist,
  sessionName: null,
  isRecorded: false,
  startsAt: null,
  endsAt: null,
  returnUrl: null,
  consents: {
    states: { recording: 'given', observation: 'not_asked' },
    isRecordingRequired: true,
    texts: [],
  },
} as const
const scene = EMPTY_SCENE

const preview = PREVIEW
const checking: CallState = { phase: 'checking' }
const lobby: CallState = { phase: 'lobby', preview }
const joining: CallState = { phase: 'joining', stage: 'entering', trouble: null }
const waiting: CallState = { phase: 'joining', stage: 'media', trouble: 'media' }
const live: CallState = { phase: 'live', facts, scene }
const reconnecting: CallState = { phase: 'reconnecting', facts, scene }
const refused: CallState = { phase: 'refused', refusal: LOST }
const left: CallState = { phase: 'left', facts }

const connected: CallEvent = { type: 'connected', facts, scene }
const closed: CallEvent = { type: 'refused', refusal: CLOSED }

describe('the state of a call', () => {
  test.each<[does: string, move: [before: CallState, event: CallEvent], after: CallState]>([
    ['goes from the check to the lobby', [checking, { type: 'checked', preview }], lobby],
    ['is refused by the check', [checking, closed], { phase: 'refused', refusal: CLOSED }],
    ['goes from the lobby to joining', [lobby, { type: 'joining' }], joining],
    ['is live when media is up', [joining, connected], live],
    ['shows a refused admission', [joining, closed], { phase: 'refused', refusal: CLOSED }],
    [
      'shows how far the way in has come',
      [joining, { type: 'reached', stage: 'media' }],
      { ...joining, stage: 'media' },
    ],
    [
      'takes a diagnosis back when the way goes on',
      [
        { ...joining, trouble: 'service' },
        { type: 'reached', stage: 'signalling' },
      ],
      { ...joining, stage: 'signalling' },
    ],
    [
      'says why it was not connected',
      [waiting, { type: 'refused', refusal: UNAVAILABLE }],
      { phase: 'refused', refusal: { ...UNAVAILABLE, trouble: 'media' } },
    ],
    [
      'has not lost a connection that never was',
      [joining, { type: 'refused', refusal: LOST }],
      { phase: 'refused', refusal: UNAVAILABLE },
    ],
    ['shows an interruption', [live, { type: 'interrupted' }], reconnecting],
    ['is live again after an interruption', [reconnecting, { type: 'resumed' }], live],
    ['is live again on a fresh media connection', [reconnecting, connected], live],
    ['ends when the room is closed', [live, closed], { phase: 'refused', refusal: CLOSED, facts }],
    [
      'ends while reconnecting too',
      [reconnecting, closed],
      { phase: 'refused', refusal: CLOSED, facts },
    ],
    ["is left on one's own wish", [live, { type: 'left' }], left],
    ['may be joined again after leaving', [left, { type: 'joining' }], joining],
    ['may be joined again after a refusal', [refused, { type: 'joining' }], joining],
  ])('%s', (_, [before, event], after) => {
    expect(nextState(before, event)).toEqual(after)
  })

  test.each<[string, CallState, CallEvent]>([
    ['media that comes up after leaving', left, connected],
    ['an interruption after leaving', left, { type: 'interrupted' }],
    ['a resumption after a refusal', refused, { type: 'resumed' }],
    ['a close after leaving', left, closed],
    ['a change before media is up', joining, { type: 'changed', scene: { isAudioBlocked: true } }],
    [
      'a stage that a new attempt goes through again',
      waiting,
      { type: 'reached', stage: 'signalling' },
    ],
    ['a diagnosis that comes late', live, { type: 'diagnosed', trouble: 'media' }],
    ['a second press of Join', live, { type: 'joining' }],
    ['a check that is answered late', live, { type: 'checked', preview }],
    ['a press of what is no longer shown', lobby, { type: 'prepared' }],
  ])('is not changed by %s', (_, before, event) => {
    expect(nextState(before, event)).toBe(before)
  })

  test('keeps the unchanged parts of the scene', () => {
    const after = nextState(live, { type: 'changed', scene: { microphone: 'on' } })
    expect(after).toEqual({ ...live, scene: { ...scene, microphone: 'on' } })
  })
})

test('a person is alone if nobody else is there, but not during a reconnect', () => {
  const me = { isLocal: true } as Person
  const other = { isLocal: false } as Person
  expect(isAlone({ phase: 'live', facts, scene: { ...scene, people: [me] } })).toBe(true)
  expect(isAlone({ phase: 'live', facts, scene: { ...scene, people: [me, other] } })).toBe(false)
  expect(isAlone({ phase: 'reconnecting', facts, scene: { ...scene, people: [me] } })).toBe(false)
})
