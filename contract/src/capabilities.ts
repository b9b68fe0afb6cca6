import type { Role } from './vocabulary.ts'

/**
 * What a role may do in a room. The server enforces this table and the page reads it, so that a
 * control is shown exactly where the server would accept it.
 */
export interface Capabilities {
  /** Others in the room see and hear this person. */
  isVisible: boolean
  canPublishCamera: boolean
  canPublishMicrophone: boolean
  canShareScreen: boolean
  canClose: boolean
  canBan: boolean
  /** Shows and hides handouts, and asks others to mute. */
  canModerate: boolean
  /** Is told of all handouts, and not only of the one that is shown. */
  canListHandouts: boolean
  /** Is asked for consent to the recording before the first media. Staff are told and not asked. */
  isAskedForConsent: boolean
}

export const CAPABILITIES = {
  moderator: {
    isVisible: true,
    canPublishCamera: true,
    canPublishMicrophone: true,
    canShareScreen: true,
    canClose: true,
    canBan: true,
    canModerate: true,
    canListHandouts: true,
    isAskedForConsent: false,
  },
  panelist: {
    isVisible: true,
    canPublishCamera: true,
    canPublishMicrophone: true,
    canShareScreen: false,
    canClose: false,
    canBan: false,
    canModerate: false,
    canListHandouts: false,
    isAskedForConsent: true,
  },
  observer: {
    isVisible: false,
    canPublishCamera: false,
    canPublishMicrophone: false,
    canShareScreen: false,
    canClose: false,
    canBan: false,
    canModerate: false,
    canListHandouts: false,
    isAskedForConsent: false,
  },
  platform_observer: {
    isVisible: false,
    canPublishCamera: false,
    canPublishMicrophone: false,
    canShareScreen: false,
    canClose: false,
    canBan: true,
    canModerate: false,
    canListHandouts: true,
    isAskedForConsent: false,
  },
} as const satisfies Record<Role, Capabilities>
