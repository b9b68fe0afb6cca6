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
  /** A moderator allowed it. */
  mayShareScreen: boolean
}

/** True if consent currently restricts anybody's rights in the room. Otherwise everybody has the rights of their role. */
export function dependsOnConsent({ recording, observation, isRecording }: ConsentTerms): boolean {
  const isGated = recording === 'required' || (recording === 'optional' && isRecording)
  return isGated || observation === 'required'
}

/** True if consent may ever restrict rights in the room. */
export function mayDependOnConsent({ recording, observation }: ConsentTerms): boolean {
  return recording !== 'obtained' || observation === 'required'
}

/** @param isOpen observers may receive the room's media. */
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

/** A change of `mayShareScreen` does not count for a role that may always share the screen. */
export function isSameRights(role: Role, one: MediaRights, other: MediaRights): boolean {
  const isSameScreen =
    CAPABILITIES[role].canShareScreen || one.mayShareScreen === other.mayShareScreen
  return one.mayPublish === other.mayPublish && one.mayReceive === other.mayReceive && isSameScreen
}
