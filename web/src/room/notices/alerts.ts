import type { Fact } from '@interview-room/contract/live-stream.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'

export type ToldFact = Fact & { key: number }

const ALERTS_MAX = 3

/** What somebody has to look at at once; the rest stands in the list only. */
const CALLS_FOR: Partial<Record<Fact['type'], readonly Role[]>> = {
  'help.requested': ['moderator', 'platform_observer'],
  'hand.raised': ['moderator'],
  'consent.declined': ['moderator', 'platform_observer'],
}

interface AlertsOptions {
  role: Role
  dismissed: ReadonlySet<number>
  isMine: (fact: Fact) => boolean
  hasHandRaised: (participantId: string | null) => boolean
}

/** The facts that call for this person, newest first; a hand that is down calls for nobody any more. */
export function alertsOf(facts: readonly ToldFact[], options: AlertsOptions): ToldFact[] {
  const { role, dismissed, isMine, hasHandRaised } = options
  const isAnswered = (fact: ToldFact) =>
    fact.type === 'hand.raised' &&
    (!hasHandRaised(fact.participant_id) || facts.some((each) => isOfHandAfter(each, fact)))
  return facts
    .filter((fact) => CALLS_FOR[fact.type]?.includes(role) === true && !isMine(fact))
    .filter((fact) => !dismissed.has(fact.key) && !isAnswered(fact))
    .toReversed()
    .slice(0, ALERTS_MAX)
}

function isOfHandAfter(fact: ToldFact, raised: ToldFact): boolean {
  const isOfHand = fact.type === 'hand.raised' || fact.type === 'hand.lowered'
  return isOfHand && fact.key > raised.key && fact.participant_id === raised.participant_id
}
