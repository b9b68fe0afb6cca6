import {
  type ConsentAnswer,
  type ConsentPurpose,
  type ConsentStates,
  isAgreed,
  nextConsentState,
  purposesToAsk,
} from '@interview-room/contract/consent-rules.ts'
import type { ConsentText } from '@interview-room/contract/consent.ts'
import type { EntryBody } from '@interview-room/contract/live-entry.ts'
import type { RoomEventRequest } from '@interview-room/contract/live-moderation.ts'
import type { Locale } from '@interview-room/contract/vocabulary.ts'

/** The consents asked of the person at this page, and their states. */
export interface Consents {
  states: ConsentStates
  /** True if a person who declines the recording cannot take part. */
  isRecordingRequired: boolean
  /** One text for each language of the page. */
  texts: readonly ConsentText[]
}

/** An answer, and the language in which the person read the text. */
export interface GivenAnswer {
  purpose: ConsentPurpose
  answer: ConsentAnswer
  language: Locale
}

export function consentsOf({ consents, consent_texts, room }: EntryBody): Consents {
  const isRecordingRequired = room.recording_consent === 'required'
  return { states: consents, isRecordingRequired, texts: consent_texts }
}

/** The purposes to ask about on entry, in this order. */
export function questionsOf({ states }: Consents): ConsentPurpose[] {
  return purposesToAsk(states)
}

/** True if the person's answers exclude them from the room. */
export function isTurnedAway({ states, isRecordingRequired }: Consents): boolean {
  return isRecordingRequired && !isAgreed(states.recording)
}

export function afterAnswer(consents: Consents, { purpose, answer }: GivenAnswer): Consents {
  const state = nextConsentState(consents.states[purpose] ?? 'not_asked', answer)
  return { ...consents, states: { ...consents.states, [purpose]: state } }
}

/** The event that records an answer at the service. */
export function eventOf(
  { texts }: Consents,
  { purpose, answer, language }: GivenAnswer,
): RoomEventRequest {
  const version = texts.find((text) => text.language === language)?.version
  return {
    event_type: `consent.${answer}`,
    payload: { purpose, language, ...(version !== undefined && { version }) },
  }
}
