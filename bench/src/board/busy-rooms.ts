import type { BoardBody, BoardEvents, BoardRoom } from '@interview-room/contract/board.ts'

const LINES = ['good', 'fair', 'poor'] as const

/** Rooms on a board: each runs, is recorded, and has two panelists and a moderator. Times are in milliseconds since 1970. */
export class BusyRooms {
  readonly #rooms: BoardRoom[]
  #turn = 0

  constructor(count: number, nowMs: number) {
    this.#rooms = Array.from({ length: count }, (_, index) => runningRoom(index, nowMs))
  }

  whole(nowMs: number): BoardBody {
    return {
      now: textOf(nowMs),
      expires_at: textOf(nowMs + 3_600_000),
      operator: { display_name: 'Opal' },
      rooms: this.#rooms,
      has_more: false,
    }
  }

  /** The connection of one person changes in the next `count` rooms, and an alarm begins or ends in every sixtieth. */
  change(count: number, nowMs: number): BoardEvents['rooms'] {
    const changed = Array.from({ length: count }, () => {
      const at = this.#turn % this.#rooms.length
      const room = changedRoom(this.#rooms[at] as BoardRoom, this.#turn, nowMs)
      this.#rooms[at] = room
      this.#turn += 1
      return room
    })
    return { now: textOf(nowMs), changed, gone: [], has_more: false }
  }
}

function runningRoom(index: number, nowMs: number): BoardRoom {
  const id = `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`
  const startsMs = nowMs - 600_000 - index * 1_000
  return {
    id,
    session: {
      name: `新商品のインタビュー ${index + 1}`,
      external_type: 'Slot',
      external_id: String(index),
      starts_at: textOf(startsMs),
      ends_at: textOf(startsMs + 3_600_000),
      status: 'active',
    },
    people: ['moderator', 'panelist', 'panelist'].map((role, person) => ({
      identity: `${id}-${person}`,
      participant_id: null,
      role: role as BoardRoom['people'][number]['role'],
      display_name: `Person ${person + 1} of ${index + 1}`,
      in_since: textOf(startsMs + 60_000),
      line: 'good',
      last_test: null,
    })),
    recording: {
      archive_mode: 'manual',
      status: 'started',
      composed_percent: null,
      estimated_available_at: null,
      missing_sec: null,
    },
    presentation: null,
    help_requests: [],
    alarms: [],
    provider_inspector_url: null,
  }
}

function changedRoom(room: BoardRoom, turn: number, nowMs: number): BoardRoom {
  const people = room.people.map((person, index) =>
    index === turn % 3 ? { ...person, line: LINES[turn % LINES.length] ?? 'good' } : person,
  )
  if (turn % 60 !== 0) return { ...room, people }
  const poor = {
    code: 'POOR_LINE',
    since: textOf(nowMs),
    display_name: people[0]?.display_name ?? null,
  } as const
  return { ...room, people, alarms: room.alarms.length > 0 ? [] : [poor] }
}

function textOf(ms: number): string {
  return new Date(ms).toISOString()
}
