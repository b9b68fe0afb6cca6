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

/** What is asked of the person of this page, and how it stands. */
export interface Consents {
  states: ConsentStates
  /** Who declines the recording does not take part. */
  isRecordingRequired: boolean
  /** One for each language of the page. */
  texts: readonly ConsentText[]
}

/** An answer, and the language in which the person read what it is about. */
export interface GivenAnswer {
  purpose: ConsentPurpose
  answer: ConsentAnswer
  language: Locale
}

export function consentsOf({ consents, consent_texts, room }: EntryBody): Consents {
  const isRecordingRequired = room.recording_consent === 'required'
  return { states: consents, isRecordingRequired, texts: consent_texts }
}

/** Asked on the way in, in this order. */
export function questionsOf({ states }: Consents): ConsentPurpose[] {
  return purposesToAsk(states)
}

/** The person does not take part, because of what they answered. */
export function isTurnedAway({ states, isRecordingRequired }: Consents): boolean {
  return isRecordingRequired && !isAgreed(states.recording)
}

export function afterAnswer(consents: Consents, { purpose, answer }: GivenAnswer): Consents {
  const state = nextConsentState(consents.states[purpose], answer)
  return { ...consents, states: { ...consents.states, [purpose]: state } }
}

/** What the service notes of an answer. */
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
