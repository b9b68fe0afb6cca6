import type { AlarmCode, BoardPerson, BoardRoom } from '@interview-room/contract/board.ts'

export const at = (min: number) => new Date(Date.UTC(2030, 0, 1, 10, min)).toISOString()

/** A room of an hour. Each alarm has the minute since when it exists. */
export function room(
  id: string,
  startMin: number,
  alarms: readonly [AlarmCode, number][] = [],
): BoardRoom {
  return {
    id,
    session: {
      name: id,
      external_type: 'Slot',
      external_id: id,
      starts_at: at(startMin),
      ends_at: at(startMin + 60),
      status: 'active',
    },
    people: [],
    recording: { archive_mode: 'always', status: null },
    presentation: null,
    help_requests: [],
    alarms: alarms.map(([code, min]) => ({ code, since: at(min), display_name: null })),
    provider_inspector_url: null,
  }
}

export function panelist(name: string): BoardPerson {
  return {
    identity: name,
    participant_id: null,
    role: 'panelist',
    display_name: name,
    in_since: at(0),
    line: 'good',
    last_test: null,
  }
}
