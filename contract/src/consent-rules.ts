import { CAPABILITIES } from './capabilities.ts'
import {
  type ArchiveMode,
  CONSENT_PURPOSES,
  type ConsentAnswer,
  type ConsentPurpose,
  type ConsentState,
  type Role,
} from './vocabulary.ts'

export {
  CONSENT_ANSWERS,
  CONSENT_PURPOSES,
  CONSENT_STATES,
  type ConsentAnswer,
  type ConsentPurpose,
  type ConsentState,
} from './vocabulary.ts'

/** One value for each purpose. `transcription` is left out where nobody is asked about it. */
type ByPurpose<T> = Record<Exclude<ConsentPurpose, 'transcription'>, T> & { transcription?: T }

/** The consent states of one person, by purpose. */
export type ConsentStates = ByPurpose<ConsentState>

/** The settings of a tenant: are its panelists asked for consent to the recording, and to the observation. */
export interface ConsentPolicy {
  recordingConsent: 'ask' | 'obtained'
  observationConsent: 'informed' | 'required'
}

/**
 * The consent that a room asks of its panelists. `recording` is `required` if declining means that the person cannot
 * enter, `optional` if it means that nothing is recorded meanwhile, and `obtained` if nobody is asked.
 */
export interface ConsentTerms {
  recording: 'required' | 'optional' | 'obtained'
  observation: 'required' | 'informed'
  /** A recording of the room is running or paused. */
  isRecording: boolean
  /** The room has live text: people are asked about that, and take part whatever they answer. */
  isTranscribed?: boolean
}

/** The facts that decide which consent a room asks for. */
export interface ConsentBasis extends ConsentPolicy {
  archiveMode: ArchiveMode
  isRecording: boolean
  isTranscribed?: boolean
}

export function consentTermsOf(basis: ConsentBasis): ConsentTerms {
  const { recordingConsent, observationConsent, archiveMode, isRecording, isTranscribed } = basis
  const ofMode = archiveMode === 'always' ? 'required' : 'optional'
  return {
    recording: recordingConsent === 'obtained' ? 'obtained' : ofMode,
    observation: observationConsent,
    isRecording,
    isTranscribed: isTranscribed === true,
  }
}

/** The last answer for each purpose. Null if there is none. */
export type LastAnswers = ByPurpose<ConsentAnswer | null>
export const NO_ANSWERS: LastAnswers = { recording: null, observation: null }

/** The consent states of this person. Staff are informed, and their answers change nothing. */
export function consentStatesOf(
  terms: ConsentTerms,
  role: Role,
  answers: LastAnswers,
): ConsentStates {
  if (!CAPABILITIES[role].isAskedForConsent)
    return { recording: 'not_asked', observation: 'not_asked' }
  return {
    recording: terms.recording === 'obtained' ? 'obtained' : (answers.recording ?? 'pending'),
    observation:
      terms.observation === 'informed' ? 'not_asked' : (answers.observation ?? 'pending'),
    ...(terms.isTranscribed === true && { transcription: answers.transcription ?? 'pending' }),
  }
}

/**
 * The state that follows an answer. A person who was never asked keeps that state. A given consent cannot be declined
 * afterwards, only withdrawn, and only a given consent can be withdrawn.
 */
export function nextConsentState(state: ConsentState, answer: ConsentAnswer): ConsentState {
  if (state === 'not_asked' || state === 'obtained') return state
  if (answer === 'given') return 'given'
  return state === 'given' || state === 'withdrawn' ? 'withdrawn' : 'declined'
}

/** Consent for the purpose is given or not needed. */
export function isAgreed(state: ConsentState): boolean {
  return state === 'not_asked' || state === 'obtained' || state === 'given'
}

/** The person has said no. A missing answer is no refusal. */
export function isRefused(state: ConsentState): boolean {
  return state === 'declined' || state === 'withdrawn'
}

/** The person cannot take part: the room is always recorded, and they have declined or withdrawn consent to that. */
export function hasDeclinedToEnter(terms: ConsentTerms, { recording }: ConsentStates): boolean {
  return terms.recording === 'required' && isRefused(recording)
}

/**
 * The purposes that the page asks about before entry. It asks again about a declined one, because the person may
 * reconsider.
 */
export function purposesToAsk(states: ConsentStates): ConsentPurpose[] {
  return CONSENT_PURPOSES.filter((purpose) => !isAgreed(states[purpose] ?? 'not_asked'))
}

/**
 * True if this person may send video and audio. It is false while a required answer is missing, so that neither
 * observers nor a running recording receive anything before it.
 */
export function mayPublish(terms: ConsentTerms, states: ConsentStates): boolean {
  if (states.observation === 'pending') return false
  return isAgreed(states.recording) || !(terms.recording === 'required' || terms.isRecording)
}

/**
 * True if a person of this role may watch while the people present have these consents. Only hidden roles need the
 * consent.
 */
export function mayWatch(
  role: Role,
  present: readonly Pick<ConsentStates, 'observation'>[],
): boolean {
  return CAPABILITIES[role].isVisible || present.every(({ observation }) => isAgreed(observation))
}
