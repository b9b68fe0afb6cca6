import type { RoomBody } from '@interview-room/contract/rooms.ts'
import type { SessionStatus } from '@interview-room/contract/vocabulary.ts'
import { Badge } from '../../design/badge.tsx'
import { useText } from './text.ts'

const TONES = {
  scheduled: 'accent',
  active: 'good',
  closed: 'calm',
  cancelled: 'calm',
} as const satisfies Record<SessionStatus, string>

export function StatusBadge({ status }: { status: SessionStatus }) {
  return <Badge tone={TONES[status]}>{useText().status[status]}</Badge>
}

/** The status of the session. A closed room counts as closed at any time. */
export function roomStatus({
  status,
  session,
}: Pick<RoomBody, 'status' | 'session'>): SessionStatus {
  if (session?.status === 'cancelled') return 'cancelled'
  return status === 'closed' ? 'closed' : (session?.status ?? 'active')
}
