import { describe, expect, test } from 'vitest'
import {
  CONSENT_ANSWERS,
  CONSENT_STATES,
  type ConsentPolicy,
  consentStatesOf,
  type ConsentState,
  consentTermsOf,
  hasDeclinedToEnter,
  isAgreed,
  isRefused,
  mayPublish,
  mayWatch,
  nextConsentState,
  NO_ANSWERS,
  purposesToAsk,
} from './consent-rules.ts'
import { ARCHIVE_MODES, type ArchiveMode, ROLES } from './vocabulary.ts'

const BY_DEFAULT: ConsentPolicy = { recordingConsent: 'ask', observationConsent: 'informed' }

const termsBy = (policy: Partial<ConsentPolicy>, archiveMode: ArchiveMode) =>
  consentTermsOf({ ...BY_DEFAULT, ...policy, archiveMode, isRecording: false })

describe('the terms of a room', () => {
  test.each([
    ['always', {}, { recording: 'required', observation: 'informed' }],
    ['manual', {}, { recording: 'optional', observation: 'informed' }],
    ['always', { recordingConsent: 'obtained' }, { recording: 'obtained' }],
    ['manual', { recordingConsent: 'obtained' }, { recording: 'obtained' }],
    ['manual', { observationConsent: 'required' }, { observation: 'required' }],
  ] as const)('in a room recorded %s with %o is %o', (mode, policy, terms) => {
    expect(termsBy(policy, mode)).toMatchObject(terms)
  })
})

describe('the consent of a person', () => {
  const terms = { recording: 'optional', observation: 'required', isRecording: false } as const

  test('a panelist is pending until there is an answer', () => {
    const pending = { recording: 'pending', observation: 'pending' }
    expect(consentStatesOf(terms, 'panelist', NO_ANSWERS)).toEqual(pending)
    const answers = { recording: 'given', observation: 'declined' } as const
    expect(consentStatesOf(terms, 'panelist', answers)).toEqual(answers)
  })

  test('staff are never asked, even after an answer', () => {
    for (const role of ROLES.filter((each) => each !== 'panelist')) {
      const answers = { recording: 'declined', observation: 'declined' } as const
      const states = { recording: 'not_asked', observation: 'not_asked' }
      expect(consentStatesOf(terms, role, answers)).toEqual(states)
    }
  })

  test('a panelist is asked about live text where the room has it, and staff never', () => {
    const transcribed = { ...terms, isTranscribed: true }
    const others = { recording: 'given', observation: 'given' } as const
    const asked = consentStatesOf(transcribed, 'panelist', others)
    expect(asked.transcription).toBe('pending')
    expect(purposesToAsk(asked)).toEqual(['transcription'])
    expect(mayPublish(transcribed, asked)).toBe(true)
    const declined = { ...others, transcription: 'declined' } as const
    expect(consentStatesOf(transcribed, 'panelist', declined).transcription).toBe('declined')
    expect(consentStatesOf(transcribed, 'moderator', others)).not.toHaveProperty('transcription')
    expect(consentStatesOf(terms, 'panelist', declined)).not.toHaveProperty('transcription')
  })

  test('nobody is asked if the tenant has obtained the consent or only informs', () => {
    const none = { recording: 'obtained', observation: 'informed', isRecording: true } as const
    const answers = { recording: 'declined', observation: 'declined' } as const
    const states = { recording: 'obtained', observation: 'not_asked' } as const
    expect(consentStatesOf(none, 'panelist', answers)).toEqual(states)
    expect(purposesToAsk(states)).toEqual([])
    expect(mayPublish(none, states)).toBe(true)
  })
})

describe('a person who declines the recording', () => {
  const refused: ConsentState[] = ['declined', 'withdrawn']

  test.each(CONSENT_STATES)('cannot enter a room that is always recorded: %s', (recording) => {
    const states = { recording, observation: 'not_asked' } as const
    const terms = { recording: 'required', observation: 'informed', isRecording: false } as const
    expect(hasDeclinedToEnter(terms, states)).toBe(refused.includes(recording))
    expect(hasDeclinedToEnter({ ...terms, recording: 'optional' }, states)).toBe(false)
  })
})

describe('an answer', () => {
  test.each([
    ['pending', 'given', 'given'],
    ['pending', 'declined', 'declined'],
    ['pending', 'withdrawn', 'declined'],
    ['given', 'given', 'given'],
    ['given', 'declined', 'withdrawn'],
    ['given', 'withdrawn', 'withdrawn'],
    ['declined', 'given', 'given'],
    ['declined', 'declined', 'declined'],
    ['declined', 'withdrawn', 'declined'],
    ['withdrawn', 'given', 'given'],
    ['withdrawn', 'declined', 'withdrawn'],
    ['withdrawn', 'withdrawn', 'withdrawn'],
  ] as const)('of somebody who is %s: %s leads to %s', (state, answer, next) => {
    expect(nextConsentState(state, answer)).toBe(next)
  })

  test('changes nothing for a person who is not asked', () => {
    for (const answer of CONSENT_ANSWERS) {
      expect(nextConsentState('not_asked', answer)).toBe('not_asked')
      expect(nextConsentState('obtained', answer)).toBe('obtained')
    }
  })
})

test('a state counts as agreed, refused or pending', () => {
  const awaited = CONSENT_STATES.filter((state) => !isAgreed(state) && !isRefused(state))
  expect(awaited).toEqual(['pending'])
  expect(CONSENT_STATES.filter((state) => isAgreed(state) && isRefused(state))).toEqual([])
})

describe('publishing', () => {
  const asked = { observation: 'informed', isRecording: false } as const

  test('in a room that is always recorded waits for the consent', () => {
    for (const state of CONSENT_STATES) {
      const states = { recording: state, observation: 'not_asked' } as const
      expect(mayPublish({ ...asked, recording: 'required' }, states)).toBe(isAgreed(state))
      expect(mayPublish({ ...asked, recording: 'optional' }, states)).toBe(true)
    }
  })

  test('while a recording runs waits for the consent in every room that asks', () => {
    for (const state of CONSENT_STATES) {
      const states = { recording: state, observation: 'not_asked' } as const
      const terms = { ...asked, recording: 'optional', isRecording: true } as const
      expect(mayPublish(terms, states)).toBe(isAgreed(state))
    }
  })

  test('waits for any answer if observation is asked for', () => {
    const terms = { recording: 'optional', observation: 'required', isRecording: false } as const
    const can = (observation: ConsentState) =>
      mayPublish(terms, { recording: 'declined', observation })
    expect(can('pending')).toBe(false)
    for (const state of ['given', 'declined', 'withdrawn'] as const) expect(can(state)).toBe(true)
  })

  test('is allowed to staff in every room', () => {
    for (const mode of ARCHIVE_MODES) {
      const terms = termsBy({ observationConsent: 'required' }, mode)
      expect(mayPublish(terms, consentStatesOf(terms, 'moderator', NO_ANSWERS))).toBe(true)
    }
  })
})

test('hidden roles may watch once all present participants agree; others always may', () => {
  const [given, pending] = [{ observation: 'given' }, { observation: 'pending' }] as const
  for (const role of ['observer', 'platform_observer'] as const) {
    expect(mayWatch(role, [])).toBe(true)
    expect(mayWatch(role, [given, given])).toBe(true)
    expect(mayWatch(role, [given, pending])).toBe(false)
    expect(mayWatch(role, [{ observation: 'withdrawn' }])).toBe(false)
  }
  for (const role of ['moderator', 'panelist'] as const)
    expect(mayWatch(role, [pending])).toBe(true)
})
