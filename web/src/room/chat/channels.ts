import { CHAT_AUDIENCE, CHAT_STAMPS } from '@interview-room/contract/chat-rules.ts'
import { type Role, VISIBILITIES, type Visibility } from '@interview-room/contract/vocabulary.ts'
import type { ChatDictionary } from '../../i18n/chat-ja.ts'

const includes = (roles: readonly Role[], role: Role): boolean => roles.includes(role)

/** The chats that a role can read, in the order of their tabs. */
export function channelsOf(role: Role): Visibility[] {
  return VISIBILITIES.filter((each) => includes(CHAT_AUDIENCE[each].receivers, role))
}

export function canWrite(role: Role, visibility: Visibility): boolean {
  return includes(CHAT_AUDIENCE[visibility].senders, role)
}

/** The chat that is open on entry. Guests have none, because they look at the people first. */
export function firstChatOf(role: Role): Visibility | null {
  const written = channelsOf(role).find((each) => canWrite(role, each))
  return role === 'panelist' ? null : (written ?? null)
}

/** The stamps of a role in one chat, in the order of the contract's table. */
export function stampsIn(role: Role, visibility: Visibility): string[] {
  return CHAT_STAMPS.filter(
    (set) => set.visibility === visibility && includes(set.roles, role),
  ).flatMap(({ identifiers }) => identifiers)
}

/** A stamp in words. An identifier has the meaning that its own chat gives it. An unknown one is shown as it is. */
export function stampLabel(text: ChatDictionary, visibility: Visibility, stamp: string): string {
  const labels: Readonly<Record<string, string>> = text.stamp[visibility]
  return Object.hasOwn(labels, stamp) ? (labels[stamp] ?? stamp) : stamp
}

/** The names of a chat for this role. A role with only one chat does not learn that there are others. */
export function channelWords(text: ChatDictionary, role: Role, visibility: Visibility) {
  return channelsOf(role).length === 1 ? text.onlyChat : text.channel[visibility]
}
