import type { CapabilitiesBody } from './live-entry.ts'
import type { Role } from './vocabulary.ts'

/**
 * The permissions of a role in a room. The server enforces this table and the page reads it, so that a control is
 * shown exactly where the server would accept it.
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
  /** Receives all handouts, and not only the one that is shown. */
  canListHandouts: boolean
  /** Is asked for consent to the recording before the first media. Staff are informed and not asked. */
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

/** The names that the entry publishes. */
const NAMES = {
  isVisible: 'is_visible',
  canPublishCamera: 'can_publish_camera',
  canPublishMicrophone: 'can_publish_microphone',
  canShareScreen: 'can_share_screen',
  canClose: 'can_close',
  canBan: 'can_ban',
  canModerate: 'can_moderate',
  canListHandouts: 'can_list_handouts',
  isAskedForConsent: 'is_asked_for_consent',
} as const satisfies Record<keyof Capabilities, string>

const EACH = Object.entries(NAMES) as [keyof Capabilities, (typeof NAMES)[keyof Capabilities]][]

/** The capabilities under the names of the API. `can_share_screen` is present only if it is true. */
export function publishedCapabilities(can: Capabilities): CapabilitiesBody {
  const isPublished = ([name]: (typeof EACH)[number]) => can[name] || name !== 'canShareScreen'
  const published = EACH.filter(isPublished).map(([name, wireName]) => [wireName, can[name]])
  return Object.fromEntries(published) as CapabilitiesBody
}

/** Reads the capabilities that a page received. */
export function readCapabilities(body: CapabilitiesBody): Capabilities {
  const read = EACH.map(([name, wireName]) => [name, body[wireName] ?? false])
  return Object.fromEntries(read) as Capabilities
}
