import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { PostedEvent } from '@interview-room/contract/live-stream.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { ReceivedEvent } from '../../live/store.ts'

const ALERTS_MAX = 3

/** Events that need immediate attention, with the roles. The others appear only in the list. */
const CALLS_FOR: Partial<Record<PostedEvent['type'], readonly Role[]>> = {
  'help.requested': ['moderator', 'platform_observer'],
  'hand.raised': ['moderator'],
  'consent.declined': ['moderator', 'platform_observer'],
  'consent.withdrawn': ['moderator', 'platform_observer'],
}

interface AlertsOptions {
  role: Role
  dismissed: ReadonlySet<number>
  isMine: (event: PostedEvent) => boolean
  hasHandRaised: (identity: string) => boolean
  /** Undefined if the person has left. */
  roleOf: (identity: string) => Role | undefined
  /** Others see the own screen, and anything that appears on this page with it. */
  isScreenShared: boolean
}

/** The events that need this person's attention: help first, then the newest. Settled ones are left out. */
export function alertsOf(facts: readonly ReceivedEvent[], options: AlertsOptions): ReceivedEvent[] {
  const { role, dismissed, isMine, hasHandRaised, isScreenShared } = options
  const isSettled = (event: ReceivedEvent) => {
    const isHand = event.type === 'hand.raised'
    // A raised hand lasts until it is lowered. Other events expire.
    const isOver = isHand ? !hasHandRaised(event.identity) : event.isPast
    return isOver || facts.some((each) => settles(each, event))
  }
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

/** True if a later event of the same person on the same topic replaces this one. */
function settles(later: ReceivedEvent, event: ReceivedEvent): boolean {
  const isSameTopic = topicOf(later) === topicOf(event) && topicOf(event) !== 'help'
  return isSameTopic && later.key > event.key && later.identity === event.identity
}

/** `hand.raised` and `hand.lowered` share a topic. Consents of one purpose do, too. */
function topicOf({ type, payload }: PostedEvent): string {
  const [topic = type] = type.split('.')
  return topic === 'consent' ? `${topic} ${String(payload?.['purpose'])}` : topic
}
