import type { Role, Visibility } from './vocabulary.ts'

/**
 * The senders and receivers of each visibility ("Chat" of the decisions). The service also writes public messages.
 */
export const CHAT_AUDIENCE = {
  public: {
    senders: ['moderator', 'panelist', 'platform_observer'],
    receivers: ['moderator', 'panelist', 'observer', 'platform_observer'],
  },
  private: {
    senders: ['moderator', 'observer', 'platform_observer'],
    receivers: ['moderator', 'observer', 'platform_observer'],
  },
  observer_only: {
    senders: ['observer', 'platform_observer'],
    receivers: ['observer', 'platform_observer'],
  },
} as const satisfies Record<Visibility, { senders: readonly Role[]; receivers: readonly Role[] }>

interface StampSet {
  visibility: Visibility
  roles: readonly Role[]
  identifiers: readonly string[]
}

/** The stamp table of the contract; identifiers are unique within a visibility. */
export const CHAT_STAMPS: readonly StampSet[] = [
  {
    visibility: 'private',
    roles: ['moderator'],
    identifiers: ['ok', 'ask_later', 'anything_else'],
  },
  {
    visibility: 'private',
    roles: ['platform_observer'],
    identifiers: ['guide', 'call', 'please_wait', 'reload'],
  },
  {
    visibility: 'observer_only',
    roles: ['observer', 'platform_observer'],
    identifiers: ['nice', 'ok', 'i_see', 'a_lot'],
  },
  {
    visibility: 'public',
    roles: ['platform_observer'],
    identifiers: ['please_reload', 'calling'],
  },
]
