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
}

export const CAPABILITIES = {
  moderator: {
    isVisible: true,
    canPublishCamera: true,
    canPublishMicrophone: true,
    canShareScreen: true,
    canClose: true,
    canBan: true,
  },
  panelist: {
    isVisible: true,
    canPublishCamera: true,
    canPublishMicrophone: true,
    canShareScreen: false,
    canClose: false,
    canBan: false,
  },
  observer: {
    isVisible: false,
    canPublishCamera: false,
    canPublishMicrophone: false,
    canShareScreen: false,
    canClose: false,
    canBan: false,
  },
  platform_observer: {
    isVisible: false,
    canPublishCamera: false,
    canPublishMicrophone: false,
    canShareScreen: false,
    canClose: false,
    canBan: true,
  },
} as const satisfies Record<Role, Capabilities>
