import type { PostedEvent } from '@interview-room/contract/live-stream.ts'
import type { ToolsDictionary } from '../../i18n/tools-ja.ts'

const WORDS = {
  marker: 'marker',
  'help.requested': 'helpRequested',
  'hand.raised': 'handRaised',
  'hand.lowered': 'handLowered',
  'consent.given': 'consentGiven',
  'consent.declined': 'consentDeclined',
  'consent.withdrawn': 'consentWithdrawn',
} as const satisfies Record<PostedEvent['type'], keyof ToolsDictionary['facts']>

export function roomEventText(text: ToolsDictionary, event: PostedEvent): string {
  return text.facts[WORDS[event.type]](event.display_name)
}

/** The moment that it is about, as the service's clock has it. */
export function momentOf({ payload, created_at }: PostedEvent): string {
  const markedAt = payload?.['marked_at']
  return typeof markedAt === 'string' ? markedAt : created_at
}

/** Whether nobody else in the room sees it. */
export function isPrivate({ payload }: PostedEvent): boolean {
  return payload?.['is_private'] === true
}

/** What was written along with a marker. */
export function noteOf({ payload }: PostedEvent): string | null {
  const note = payload?.['note']
  return typeof note === 'string' ? note : null
}
