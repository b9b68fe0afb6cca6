import type {
  LoggedEventName,
  StreamEventName,
  StreamEvents,
} from '@interview-room/contract/live-stream.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'

/** PostgreSQL channel of the hints; the payload is the room's id. */
export const LIVE_CHANNEL = 'live'

/** A row of a room's live log. */
export interface LiveEvent {
  seq: bigint
  name: LoggedEventName
  roles: readonly Role[]
  /** Set for an event to one participant only. */
  participantId: string | null
  /** Set for an event to the page of one entry only. */
  admissionId: string | null
  messageId: string | null
  payload: Record<string, unknown> | null
  createdAt: Date
}

/** A reader of a live stream. */
export interface Reader {
  role: Role
  admissionId: string
  /** Null on the simple route. */
  participantId: string | null
}

export function mayRead(event: LiveEvent, reader: Reader): boolean {
  const { roles, participantId, admissionId } = event
  if (participantId !== null && participantId !== reader.participantId) return false
  if (admissionId !== null && admissionId !== reader.admissionId) return false
  return roles.includes(reader.role)
}

/** An event as one reader receives it. */
export type PublishedEvent<N extends StreamEventName = StreamEventName> = {
  [K in N]: { name: K; data: StreamEvents[K] }
}[N]

/** True for the last event of a stream. */
export function isLast({ name }: Pick<PublishedEvent, 'name'>): boolean {
  return name === 'closed' || name === 'removed'
}
