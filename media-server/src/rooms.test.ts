import { DisconnectReason } from '@livekit/protocol'
import { describe, expect, test } from 'vitest'
import { overdue } from './rooms.ts'

const heard = { isActive: true, socket: {}, joinedAgoMs: 600_000, silentMs: 0 }
const { CONNECTION_TIMEOUT, JOIN_FAILURE } = DisconnectReason

describe('a participant', () => {
  test.each([
    ['that is heard stays', heard, undefined],
    [
      'whose socket closed stays while media arrives',
      { ...heard, socket: undefined, silentMs: 3000 },
      undefined,
    ],
    [
      'whose socket closed and that fell silent goes after four seconds',
      { ...heard, socket: undefined, silentMs: 4001 },
      CONNECTION_TIMEOUT,
    ],
    ['whose network is silent stays for twenty seconds', { ...heard, silentMs: 19_000 }, undefined],
    ['whose network stays silent longer goes', { ...heard, silentMs: 20_001 }, CONNECTION_TIMEOUT],
    [
      'that is connecting has its time',
      { ...heard, isActive: false, joinedAgoMs: 14_000, silentMs: 14_000 },
      undefined,
    ],
    ['that never connects goes', { ...heard, isActive: false, joinedAgoMs: 15_001 }, JOIN_FAILURE],
  ])('%s', (_name, { isActive, socket, joinedAgoMs, silentMs }, expected) => {
    const nowMs = 1_000_000
    const joinedAtMs = nowMs - joinedAgoMs
    const participant = { isActive, socket, joinedAtMs, lastActivityAtMs: nowMs - silentMs }
    expect(overdue(participant, nowMs, 15_000)).toBe(expected)
  })
})
