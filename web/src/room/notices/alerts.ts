import type { Fact } from '@interview-room/contract/live-stream.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { ToldFact } from '../../live/store.ts'

const ALERTS_MAX = 3

/** What somebody has to look at at once; the rest stands in the list only. */
const CALLS_FOR: Partial<Record<Fact['type'], readonly Role[]>> = {
  'help.requested': ['moderator', 'platform_observer'],
  'hand.raised': ['moderator'],
  'consent.declined': ['moderator', 'platform_observer'],
  'consent.withdrawn': ['moderator', 'platform_observer'],
}

interface AlertsOptions {
  role: Role
  dismissed: ReadonlySet<number>
  isMine: (fact: Fact) => boolean
  hasHandRaised: (identity: string) => boolean
}

/** The facts that call for this person: help before all, then the newest; none that are settled. */
export function alertsOf(facts: readonly ToldFact[], options: AlertsOptions): ToldFact[] {
  const { role, dismissed, isMine, hasHandRaised } = options
  const isSettled = (fact: ToldFact) => {
    const isHand = fact.type === 'hand.raised'
    // A hand is up for as long as it is up; other calls are over some time.
    const isOver = isHand ? !hasHandRaised(fact.identity) : fact.isPast
    return isOver || facts.some((each) => settles(each, fact))
  }
  return facts
    .filter((fact) => CALLS_FOR[fact.type]?.includes(role) === true && !isMine(fact))
    .filter((fact) => !dismissed.has(fact.key) && !isSettled(fact))
    .toReversed()
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, ALERTS_MAX)
}

/** On a phone only the first is seen. */
function rank({ type }: Fact): number {
  return type === 'help.requested' ? 0 : 1
}

/** A later word of the same person about the same thing. */
function settles(later: ToldFact, fact: ToldFact): boolean {
  const isSameTopic = topicOf(later) === topicOf(fact) && topicOf(fact) !== 'help'
  return isSameTopic && later.key > fact.key && later.identity === fact.identity
}

/** `hand.raised` and `hand.lowered` are about the hand. */
function topicOf({ type }: Fact): string | undefined {
  return type.split('.')[0]
}
