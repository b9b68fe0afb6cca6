import type {
  BoardAlarm,
  BoardBody,
  BoardEvents,
  BoardRoom,
} from '@interview-room/contract/board.ts'

export type BoardState =
  /** `hasFailed`: an attempt has failed, and the next one follows. */
  | { phase: 'loading'; hasFailed: boolean }
  /** `cut`: shows the state at `board.now`. */
  | { phase: 'live' | 'cut'; board: BoardBody; clockOffsetMs: number }
  /** The link is not valid for the board any more. */
  | { phase: 'over' }

export type BoardEvent =
  | { type: 'board'; board: BoardBody; localNowMs: number }
  | { type: 'rooms'; changes: BoardEvents['rooms']; localNowMs: number }
  | { type: 'cut' }
  | { type: 'over' }

/** The next state of the board. The end is final. */
// oxlint-disable-next-line typescript/consistent-return -- the compiler sees that the switch is complete
export function nextState(state: BoardState, event: BoardEvent): BoardState {
  if (state.phase === 'over') return state
  switch (event.type) {
    case 'board':
      return shown(event.board, event.localNowMs)
    case 'rooms':
      if (state.phase === 'loading') return state
      return shown(changed(state.board, event.changes), event.localNowMs)
    case 'cut':
      return state.phase === 'loading'
        ? { phase: 'loading', hasFailed: true }
        : { ...state, phase: 'cut' }
    case 'over':
      return { phase: 'over' }
  }
}

function shown(board: BoardBody, localNowMs: number): BoardState {
  return { phase: 'live', board, clockOffsetMs: Date.parse(board.now) - localNowMs }
}

function changed(board: BoardBody, changes: BoardEvents['rooms']): BoardBody {
  const replaced = new Set([...changes.gone, ...changes.changed.map(({ id }) => id)])
  const rooms = [...board.rooms.filter(({ id }) => !replaced.has(id)), ...changes.changed]
  return { ...board, now: changes.now, has_more: changes.has_more, rooms }
}

export interface RoomAlarm {
  room: BoardRoom
  alarm: BoardAlarm
}

/** Alarms that were not in the previous state. */
export function newAlarms(before: readonly BoardRoom[], after: readonly BoardRoom[]): RoomAlarm[] {
  const known = new Set(before.flatMap((room) => room.alarms.map((alarm) => keyOf(room, alarm))))
  return after.flatMap((room) =>
    room.alarms.filter((alarm) => !known.has(keyOf(room, alarm))).map((alarm) => ({ room, alarm })),
  )
}

function keyOf({ id }: BoardRoom, { code, since, display_name: name }: BoardAlarm): string {
  return [id, code, since, name].join(' ')
}
