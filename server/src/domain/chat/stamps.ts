import { CHAT_STAMPS, type ChatStampBody } from '@interview-room/contract/chat.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'

/** The stamps that this role may send, in the order of the contract's table. */
export function stampsOf(role: Role): ChatStampBody[] {
  return CHAT_STAMPS.filter(({ roles }) => roles.includes(role)).flatMap(
    ({ visibility, identifiers }) => identifiers.map((identifier) => ({ visibility, identifier })),
  )
}
