import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import type { PostedEvent } from '@interview-room/contract/live-stream.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { ReceivedEvent } from '../../live/store.ts'

const ALERTS_MAX = 3

/** Events that need attention immediately; the others appear in the list only. */
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
  /** Undefined for somebody who has left. */
  roleOf: (identity: string) => Role | undefined
  /** The own screen is seen by others, and with it whatever comes up on this page. */
  isScreenShared: boolean
}

/** The events that need this person: help first, then the newest; none that are settled. */
export function alertsOf(facts: readonly ReceivedEvent[], options: AlertsOptions): ReceivedEvent[] {
  const { role, dismissed, isMine, hasHandRaised, isScreenShared } = options
  const isSettled = (event: ReceivedEvent) => {
    const isHand = event.type === 'hand.raised'
    // A hand is up for as long as it is up; other calls are over some time.
    const isOver = isHand ? !hasHandRaised(event.identity) : event.isPast
    return isOver || facts.some((each) => settles(each, event))
  }
  return (
    facts
      .filter((event) => CALLS_FOR[event.type]?.includes(role) === true && !isMine(event))
      .filter((event) => !dismissed.has(event.key) && !isSettled(event))
      // People who see the shared screen must not learn from it that somebody watches.
      .filter(({ identity }) => !isScreenShared || isSeen(options.roleOf(identity)))
      .toReversed()
      .toSorted((one, other) => rank(one) - rank(other))
      .slice(0, ALERTS_MAX)
  )
}

function isSeen(role: Role | undefined): boolean {
  return role !== undefined && CAPABILITIES[role].isVisible
}

/** On a phone only the first is seen. */
function rank({ type }: PostedEvent): number {
  return type === 'help.requested' ? 0 : 1
}

/** A later event of the same person on the same topic. */
function settles(later: ReceivedEvent, event: ReceivedEvent): boolean {
  const isSameTopic = topicOf(later) === topicOf(event) && topicOf(event) !== 'help'
  return isSameTopic && later.key > event.key && later.identity === event.identity
}

/** `hand.raised` and `hand.lowered` are about the hand; consents, about what they are asked for. */
function topicOf({ type, payload }: PostedEvent): string {
  const [topic = type] = type.split('.')
  return topic === 'consent' ? `${topic} ${String(payload?.['purpose'])}` : topic
}
