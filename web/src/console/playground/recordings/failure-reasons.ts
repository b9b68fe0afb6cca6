import type { RoomEventBody } from '@interview-room/contract/room-events.ts'

/** The reasons of failed recordings, by recording id. */
export function failuresOf(
  events: readonly Pick<RoomEventBody, 'payload'>[],
): ReadonlyMap<string, string> {
  return new Map(
    events.map(({ payload }) => [
      wordOf(payload, 'recording_id'),
      wordOf(payload, 'failure_reason'),
    ]),
  )
}

function wordOf(record: Record<string, unknown> | null, name: string): string {
  const value = record?.[name]
  return typeof value === 'string' ? value : ''
}
