import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { ParticipantEnteredData } from '@interview-room/contract/webhooks.ts'

/** One media connection of one person. */
export interface Entry {
  id: bigint
  roomId: string
  seq: bigint
  participantId: string | null
  mediaIdentity: string
  mediaSid: string
  name: string
  role: Role
  browserName: string | null
  browserVersion: string | null
  platformName: string | null
  platformVersion: string | null
  ipAddress: string | null
  enteredAt: Date
  leftAt: Date | null
}

/** Whole seconds between entering and leaving; null while inside. */
export function durationSecOf({
  enteredAt,
  leftAt,
}: Pick<Entry, 'enteredAt' | 'leftAt'>): number | null {
  return leftAt === null ? null : Math.floor((leftAt.getTime() - enteredAt.getTime()) / 1000)
}

/** The data of the webhook besides the entry itself. */
export interface EntryContext {
  session: { id: string; externalType: string; externalId: string } | null
  participant: { externalType: string | null; externalId: string | null } | null
}

/** Data of W1 `participant.entered`. */
export function participantEntered(
  entry: Pick<Entry, 'roomId' | 'participantId' | 'role' | 'name' | 'enteredAt'> & { id: number },
  { session, participant }: EntryContext,
): ParticipantEnteredData {
  return {
    room_id: entry.roomId,
    session_id: session?.id ?? null,
    session_external_ref:
      session === null
        ? null
        : { external_type: session.externalType, external_id: session.externalId },
    participant: {
      id: entry.participantId,
      role: entry.role,
      display_name: entry.name,
      external_type: participant?.externalType ?? null,
      external_id: participant?.externalId ?? null,
    },
    entry_history_id: entry.id,
    entered_at: entry.enteredAt.toISOString(),
  }
}
