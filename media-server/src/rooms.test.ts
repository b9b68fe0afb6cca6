import { DisconnectReason } from '@livekit/protocol'
import { describe, expect, test } from 'vitest'
import { overdue } from './rooms.ts'

const socket = {}
const none = undefined

describe('a participant', () => {
  test.each([
    ['that is heard stays', true, socket, 0, 0, none],
    ['whose socket closed stays while media arrives', true, none, 600_000, 3000, none],
    [
      'whose socket closed and that fell silent goes after five seconds',
      true,
      none,
      600_000,
      5001,
      DisconnectReason.CONNECTION_TIMEOUT,
    ],
    ['whose network is silent stays for twenty seconds', true, socket, 600_000, 19_000, none],
    [
      'whose network stays silent longer goes',
      true,
      socket,
      600_000,
      20_001,
      DisconnectReason.CONNECTION_TIMEOUT,
    ],
    ['that is connecting has a minute', false, socket, 59_000, 59_000, none],
    ['that never connects goes', false, socket, 60_001, 100, DisconnectReason.JOIN_FAILURE],
  ])('%s', (_name, isActive, socket, joinedAgoMs, silentMs, expected) => {
    const nowMs = 1_000_000
    const participant = {
      isActive,
      socket,
      joinedAtMs: nowMs - joinedAgoMs,
      lastActivityAtMs: nowMs - silentMs,
    }
    expect(overdue(participant, nowMs)).toBe(expected)
  })
})
