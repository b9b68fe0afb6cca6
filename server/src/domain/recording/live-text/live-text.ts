import { HIDDEN_ROLES } from '@interview-room/contract/live-stream.ts'
import type { CaptionBody } from '@interview-room/contract/live-text.ts'
import { type LiveTextAudience, type Role, ROLES } from '@interview-room/contract/vocabulary.ts'

/** PostgreSQL channel of texts that are not final. Its payload is a `PassingCaption` as JSON. */
export const CAPTION_CHANNEL = 'captions'

/** A text that is stored nowhere: the next one of its segment replaces it. */
export interface PassingCaption {
  roomId: string
  roles: readonly Role[]
  caption: CaptionBody
}

/** A final text. */
export interface StoredText {
  id: string
  seq: bigint
  participantId: string | null
  identity: string
  displayName: string
  segment: string
  language: string
  isTranslation: boolean
  text: string
  isObservable: boolean
  startedAt: Date
  endedAt: Date
}

/** The roles that may read live text. `isObserved`: hidden roles may watch what happens. */
export function readersOf(
  audience: LiveTextAudience,
  { isObserved }: { isObserved: boolean },
): readonly Role[] {
  if (audience === 'off') return []
  const readers = audience === 'staff' ? ROLES.filter((role) => role !== 'panelist') : ROLES
  return isObserved ? readers : readers.filter((role) => !isHidden(role))
}

export function isHidden(role: Role): boolean {
  return (HIDDEN_ROLES as readonly Role[]).includes(role)
}
