import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import {
  type ConsentStates,
  type ConsentTerms,
  hasDeclinedToEnter,
  mayPublish,
} from '@interview-room/contract/consent-rules.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { MediaRights } from '../../platform/ports/media.ts'

interface RightsHolder {
  role: Role
  consents: ConsentStates
  /** A moderator lets them. */
  mayShareScreen: boolean
}

/** Whether anybody's rights in the room follow from consent now: else all have what their role allows. */
export function dependsOnConsent({ recording, observation, isRecording }: ConsentTerms): boolean {
  const isGated = recording === 'required' || (recording === 'optional' && isRecording)
  return isGated || observation === 'required'
}

/** Whether they ever do. */
export function mayDependOnConsent({ recording, observation }: ConsentTerms): boolean {
  return recording !== 'obtained' || observation === 'required'
}

/** `isOpen`: observers may receive what happens in the room. */
export function mediaRightsOf(
  terms: ConsentTerms,
  { role, consents, mayShareScreen }: RightsHolder,
  isOpen: boolean,
): MediaRights {
  const { isVisible } = CAPABILITIES[role]
  const isPublisher = isVisible && mayPublish(terms, consents)
  return {
    mayPublish: isPublisher,
    mayReceive: (isVisible || isOpen) && !hasDeclinedToEnter(terms, consents),
    ...(isPublisher && mayShareScreen && { mayShareScreen }),
  }
}

/** The screen of a role that may share it anyway is no difference. */
export function isSameRights(role: Role, one: MediaRights, other: MediaRights): boolean {
  const isSameScreen =
    CAPABILITIES[role].canShareScreen || one.mayShareScreen === other.mayShareScreen
  return one.mayPublish === other.mayPublish && one.mayReceive === other.mayReceive && isSameScreen
}
