import { CAPABILITIES } from './capabilities.ts'
import type { LoggedEventName } from './live-stream.ts'
import { QUESTION_ROLES } from './questions.ts'
import { ROLES, type Role } from './vocabulary.ts'

/** The roles that a logged event may reach. Its publisher may name fewer of them, never others. */
export const STREAM_READERS: Readonly<Record<LoggedEventName, readonly Role[]>> = {
  message: ROLES,
  messages_purged: ROLES,
  roster: ROLES,
  presentation: ROLES,
  spotlight: ROLES,
  recording: ROLES,
  handouts: ROLES.filter((role) => CAPABILITIES[role].canListHandouts),
  fact: ROLES,
  question: QUESTION_ROLES,
  caption: ROLES,
  live_text: ROLES,
  mute_requested: ROLES,
  window: ROLES,
  closing: ROLES,
  removed: ROLES,
  closed: ROLES,
}
