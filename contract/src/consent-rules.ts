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

/** Of one person, by purpose. */
export type ConsentStates = Record<ConsentPurpose, ConsentState>

/** What a tenant has set: whether its panelists are asked to be recorded, and whether to be watched. */
export interface ConsentPolicy {
  recordingConsent: 'ask' | 'obtained'
  observationConsent: 'informed' | 'required'
}

/**
 * What a room asks its panelists. `recording`: `required` means that declining is not entering,
 * `optional` that nothing is recorded meanwhile, `obtained` that nobody is asked.
 */
export interface ConsentTerms {
  recording: 'required' | 'optional' | 'obtained'
  observation: 'required' | 'informed'
  /** A recording of the room runs, or is paused. */
  isRecording: boolean
}

/** What decides what a room asks. */
export interface ConsentBasis extends ConsentPolicy {
  archiveMode: ArchiveMode
  isRecording: boolean
}

export function consentTermsOf(basis: ConsentBasis): ConsentTerms {
  const { recordingConsent, observationConsent, archiveMode, isRecording } = basis
  const ofMode = archiveMode === 'always' ? 'required' : 'optional'
  return {
    recording: recordingConsent === 'obtained' ? 'obtained' : ofMode,
    observation: observationConsent,
    isRecording,
  }
}

/** The last answer for each purpose; null where there is none. */
export type LastAnswers = Record<ConsentPurpose, ConsentAnswer | null>
export const NO_ANSWERS: LastAnswers = { recording: null, observation: null }

/** How it stands with this person. Staff are informed: what they answer changes nothing. */
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
  }
}

/**
 * The state that follows an answer. Somebody who was never asked stays so; a consent that was given is not
 * declined afterwards but withdrawn, and what was not given cannot be withdrawn.
 */
export function nextConsentState(state: ConsentState, answer: ConsentAnswer): ConsentState {
  if (state === 'not_asked' || state === 'obtained') return state
  if (answer === 'given') return 'given'
  return state === 'given' || state === 'withdrawn' ? 'withdrawn' : 'declined'
}

/** Nothing stands against the purpose. */
export function isAgreed(state: ConsentState): boolean {
  return state === 'not_asked' || state === 'obtained' || state === 'given'
}

/** The person has said no; not that no answer is there yet. */
export function isRefused(state: ConsentState): boolean {
  return state === 'declined' || state === 'withdrawn'
}

/** The person does not take part: the room is always recorded, and they have declined that or taken it back. */
export function hasDeclinedToEnter(terms: ConsentTerms, { recording }: ConsentStates): boolean {
  return terms.recording === 'required' && isRefused(recording)
}

/** What the page asks next, before entry: somebody who declined may reconsider. */
export function purposesToAsk(states: ConsentStates): ConsentPurpose[] {
  return CONSENT_PURPOSES.filter((purpose) => !isAgreed(states[purpose]))
}

/**
 * Whether this person may send video and audio. Nobody does who has not been asked what is to be
 * asked, so that nothing reaches observers before the answer, nor a recording that runs.
 */
export function mayPublish(terms: ConsentTerms, states: ConsentStates): boolean {
  if (states.observation === 'pending') return false
  return isAgreed(states.recording) || !(terms.recording === 'required' || terms.isRecording)
}

/** Whether a person of this role may watch where those who are watched stand so. Asked of the unseen alone. */
export function mayWatch(
  role: Role,
  present: readonly Pick<ConsentStates, 'observation'>[],
): boolean {
  return CAPABILITIES[role].isVisible || present.every(({ observation }) => isAgreed(observation))
}
