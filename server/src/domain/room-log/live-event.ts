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
  /** Set when it is for one participant only. */
  participantId: string | null
  /** Set when it is for the page of one entry only. */
  admissionId: string | null
  messageId: string | null
  payload: Record<string, unknown> | null
  createdAt: Date
}

/** Who reads a live stream. */
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

/** An event as it goes out to one reader. */
export type PublishedEvent<N extends StreamEventName = StreamEventName> = {
  [K in N]: { name: K; data: StreamEvents[K] }
}[N]

/** Nothing follows it. */
export function isLast({ name }: Pick<PublishedEvent, 'name'>): boolean {
  return name === 'closed' || name === 'removed'
}
