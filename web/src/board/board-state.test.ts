import type { BoardBody, BoardRoom } from '@interview-room/contract/board.ts'
import { describe, expect, test } from 'vitest'
import { type BoardState, newAlarms, nextState } from './board-state.ts'
import { at, room } from './testing/rooms.ts'

function boardOf(rooms: BoardRoom[]): BoardBody {
  const operator = { display_name: 'Operator' }
  return { now: at(0), expires_at: at(600), operator, rooms, has_more: false }
}

const localNowMs = Date.parse(at(0)) - 5_000
const loading: BoardState = { phase: 'loading', hasFailed: false }
const shown = (...rooms: BoardRoom[]) =>
  nextState(loading, { type: 'board', board: boardOf(rooms), localNowMs })
const idsIn = (state: BoardState) => ('board' in state ? state.board.rooms.map(({ id }) => id) : [])

describe('the board', () => {
  test('is shown when it arrived, with the clock of the service', () => {
    expect(shown(room('a', 0))).toMatchObject({ phase: 'live', clockOffsetMs: 5_000 })
  })

  test('applies changed, new and removed rooms', () => {
    const changes = {
      now: at(1),
      changed: [room('b', 5), room('c', 9)],
      gone: ['a'],
      has_more: true,
    }
    const next = nextState(shown(room('a', 0), room('b', 0)), {
      type: 'rooms',
      changes,
      localNowMs,
    })
    expect(idsIn(next)).toEqual(['b', 'c'])
    expect(next).toMatchObject({
      board: { now: at(1), has_more: true, rooms: [{ session: { starts_at: at(5) } }, {}] },
    })
  })

  test('that is disconnected keeps its last state, and becomes live again automatically', () => {
    const cut = nextState(shown(room('a', 0)), { type: 'cut' })
    expect([cut.phase, ...idsIn(cut)]).toEqual(['cut', 'a'])
    const board = boardOf([room('b', 0)])
    expect(nextState(cut, { type: 'board', board, localNowMs }).phase).toBe('live')
  })

  test('that never loaded shows the failure', () => {
    expect(nextState(loading, { type: 'cut' })).toEqual({ phase: 'loading', hasFailed: true })
  })

  test('that has ended stays ended', () => {
    const over = nextState(shown(), { type: 'over' })
    expect(nextState(over, { type: 'cut' })).toEqual({ phase: 'over' })
    expect(nextState(over, { type: 'board', board: boardOf([]), localNowMs })).toBe(over)
  })
})

describe('new alarms', () => {
  test('are the ones that were not there before, in any room', () => {
    const before = [room('a', 0, [['POOR_LINE', 1]]), room('b', 0)]
    const after = [
      room('a', 0, [
        ['POOR_LINE', 1],
        ['HELP_REQUESTED', 2],
      ]),
      room('b', 0, [['POOR_LINE', 1]]),
    ]
    expect(newAlarms(before, after).map((each) => [each.room.id, each.alarm.code])).toEqual([
      ['a', 'HELP_REQUESTED'],
      ['b', 'POOR_LINE'],
    ])
    expect(newAlarms(after, before)).toEqual([])
  })

  test('include an alarm that happens again', () => {
    const [before, after] = [[room('a', 0, [['POOR_LINE', 1]])], [room('a', 0, [['POOR_LINE', 5]])]]
    expect(newAlarms(before, after)).toHaveLength(1)
  })
})
