import { ALARM_CODES } from '@interview-room/contract/board.ts'
import { describe, expect, test } from 'vitest'
import { inOrder, SEVERITIES, severityOf, severityOfRoom } from './severity.ts'
import { at, room } from './testing/rooms.ts'

const idsInOrder = (...rooms: Parameters<typeof inOrder>[0]) => inOrder(rooms).map(({ id }) => id)

describe('the severity of a room', () => {
  test('is help, then the recording, then the connection, then somebody missing', () => {
    const inTurn = ALARM_CODES.map((code) => severityOf({ code, since: at(0), display_name: null }))
    expect([...new Set(inTurn)]).toEqual(SEVERITIES)
    expect(inTurn).toEqual(inTurn.toSorted((a, b) => SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b)))
  })

  test('is that of its most urgent alarm', () => {
    const both = room('a', 0, [
      ['POOR_LINE', 9],
      ['MODERATOR_MISSING', 1],
    ])
    expect(severityOfRoom(both)).toBe('connection')
    expect(severityOfRoom(room('a', 0))).toBeNull()
  })
})

describe('the order of the rooms', () => {
  test('follows the severity, however long the others have waited', () => {
    const ids = idsInOrder(
      room('nobody', 0, [['RESPONDENT_MISSING', 0]]),
      room('calm', 0),
      room('line', 0, [['POOR_LINE', 2]]),
      room('dark', 0, [['MEDIA_NOT_RECORDED', 4]]),
      room('unrecorded', 0, [['RECORDING_NOT_ACTIVE', 5]]),
      room('help', 0, [['HELP_REQUESTED', 9]]),
    )
    expect(ids).toEqual(['help', 'dark', 'unrecorded', 'line', 'nobody', 'calm'])
  })

  test('puts the longest first among equal ones, by the severe alarm only', () => {
    const ids = idsInOrder(
      room('newer', 0, [
        ['HELP_REQUESTED', 9],
        ['POOR_LINE', 1],
      ]),
      room('older', 20, [['HELP_REQUESTED', 8]]),
    )
    expect(ids).toEqual(['older', 'newer'])
  })

  test('sorts the others by start, and stays the same for rooms that are equal', () => {
    expect(idsInOrder(room('late', 20), room('b', 10), room('a', 10))).toEqual(['a', 'b', 'late'])
  })
})
