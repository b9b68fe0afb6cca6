import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { PostedEvent } from '@interview-room/contract/live-stream.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { ReceivedEvent } from '../../live/store.ts'

/** Nothing else of the pictures is covered. */
const ALERTS_MAX = 2

/** Events that need immediate attention, with the roles. The others appear only in the list. */
const CALLS_FOR: Partial<Record<PostedEvent['type'], readonly Role[]>> = {
  'help.requested': ['moderator', 'platform_observer'],
  'consent.declined': ['moderator', 'platform_observer'],
  'consent.withdrawn': ['moderator', 'platform_observer'],
}

interface AlertsOptions {
  role: Role
  dismissed: ReadonlySet<number>
  isMine: (event: PostedEvent) => boolean
  /** Undefined if the person has left. */
  roleOf: (identity: string) => Role | undefined
  /** Others see the own screen, and anything that appears on this page with it. */
  isScreenShared: boolean
}

/** The events that need this person's attention: help first, then the newest. Settled ones are left out. */
export function alertsOf(facts: readonly ReceivedEvent[], options: AlertsOptions): ReceivedEvent[] {
  const { role, dismissed, isMine, isScreenShared } = options
  const isSettled = (event: ReceivedEvent) =>
    event.isPast || facts.some((each) => settles(each, event))
  return (
    facts
      .filter((event) => CALLS_FOR[event.type]?.includes(role) === true && !isMine(event))
      .filter((event) => !dismissed.has(event.key) && !isSettled(event))
      // People who see the shared screen must not learn from it that somebody is watching.
      .filter(({ identity }) => !isScreenShared || isSeen(options.roleOf(identity)))
      .toReversed()
      .toSorted((one, other) => rank(one) - rank(other))
      .slice(0, ALERTS_MAX)
  )
}

function isSeen(role: Role | undefined): boolean {
  return role !== undefined && CAPABILITIES[role].isVisible
}

/** Help comes first, because a phone shows only the first alert. */
function rank({ type }: PostedEvent): number {
  return type === 'help.requested' ? 0 : 1
}

/** True if a later event replaces this one: an answer to a call, or the same person's next answer about consent. */
function settles(later: ReceivedEvent, event: ReceivedEvent): boolean {
  if (later.key <= event.key) return false
  if (event.type === 'help.requested') return later.type === 'help.answered'
  return isConsentOf(event, later) && later.identity === event.identity
}

function isConsentOf(event: PostedEvent, later: PostedEvent): boolean {
  const isSamePurpose = event.payload?.['purpose'] === later.payload?.['purpose']
  return later.type.startsWith('consent.') && isSamePurpose
}
