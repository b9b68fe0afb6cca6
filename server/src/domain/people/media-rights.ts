import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import {
  type ConsentStates,
  type ConsentTerms,
  mayPublish,
} from '@interview-room/contract/consent-rules.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { MediaRights } from '../../platform/ports/media.ts'

interface RightsHolder {
  role: Role
  consents: ConsentStates
}

/** Whether anybody's rights in the room follow from consent: else all have what their role allows. */
export function dependsOnConsent({ recording, observation }: ConsentTerms): boolean {
  return recording === 'required' || observation === 'required'
}

/** `isOpen`: observers may receive what happens in the room. */
export function mediaRightsOf(
  terms: ConsentTerms,
  { role, consents }: RightsHolder,
  isOpen: boolean,
): MediaRights {
  const { isVisible } = CAPABILITIES[role]
  return {
    mayPublish: isVisible && mayPublish(terms, consents),
    mayReceive: isVisible || isOpen,
  }
}

export function isSameRights(one: MediaRights, other: MediaRights): boolean {
  return one.mayPublish === other.mayPublish && one.mayReceive === other.mayReceive
}
