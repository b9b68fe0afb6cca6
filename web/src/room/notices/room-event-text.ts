import type { PostedEvent } from '@interview-room/contract/live-stream.ts'
import type { ToolsDictionary } from '../../i18n/tools-ja.ts'

/** The words for answers about being watched. */
const OBSERVATION_WORDS = {
  'consent.given': 'observationGiven',
  'consent.declined': 'observationDeclined',
  'consent.withdrawn': 'observationWithdrawn',
} as const satisfies Partial<Record<PostedEvent['type'], keyof ToolsDictionary['facts']>>

/** The words for answers about live text. */
const TRANSCRIPTION_WORDS = {
  'consent.given': 'transcriptionGiven',
  'consent.declined': 'transcriptionDeclined',
  'consent.withdrawn': 'transcriptionWithdrawn',
} as const satisfies Record<keyof typeof OBSERVATION_WORDS, keyof ToolsDictionary['facts']>

const WORDS = {
  marker: 'marker',
  'help.requested': 'helpRequested',
  'help.answered': 'helpAnswered',
  'hand.raised': 'handRaised',
  'hand.lowered': 'handLowered',
  'consent.given': 'consentGiven',
  'consent.declined': 'consentDeclined',
  'consent.withdrawn': 'consentWithdrawn',
} as const satisfies Record<PostedEvent['type'], keyof ToolsDictionary['facts']>

export function roomEventText(text: ToolsDictionary, event: PostedEvent): string {
  const { type, payload, display_name: name } = event
  const isConsent =
    type === 'consent.given' || type === 'consent.declined' || type === 'consent.withdrawn'
  const purpose = payload?.['purpose']
  if (isConsent && purpose === 'observation') return text.facts[OBSERVATION_WORDS[type]](name)
  if (isConsent && purpose === 'transcription') return text.facts[TRANSCRIPTION_WORDS[type]](name)
  return text.facts[WORDS[type]](name)
}

/** The moment that the event is about, on the service's clock. */
export function momentOf({ payload, created_at }: PostedEvent): string {
  const markedAt = payload?.['marked_at']
  return typeof markedAt === 'string' ? markedAt : created_at
}

/** True if nobody else in the room sees the event. */
export function isPrivate({ payload }: PostedEvent): boolean {
  return payload?.['is_private'] === true
}

/** The note of a marker. */
export function noteOf({ payload }: PostedEvent): string | null {
  const note = payload?.['note']
  return typeof note === 'string' ? note : null
}
