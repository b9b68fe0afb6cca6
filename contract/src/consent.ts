import { type Static, Type } from 'typebox'
import { Locale } from './enums.ts'
import { about, named, string } from './envelope.ts'
import { wordsOf } from './schema.ts'
import { CONSENT_PURPOSES, CONSENT_STATES } from './vocabulary.ts'

export const ConsentPurpose = wordsOf('ConsentPurpose', CONSENT_PURPOSES, {
  about: 'What a person is asked to agree to.',
  recording: 'Being recorded.',
  observation: 'Being watched by observers and operators, whom panelists do not see.',
  transcription: 'Having their words written down while they speak, by an engine.',
})

export const ConsentState = wordsOf('ConsentState', CONSENT_STATES, {
  about: 'How it stands with the consent of a person.',
  not_asked: 'The person is informed and not asked.',
  obtained: 'You have the consent from elsewhere; the person is not asked.',
  pending: 'The person is asked and has not answered.',
  given: 'The person agrees.',
  declined: 'The person does not agree.',
  withdrawn: 'The person agreed, and no longer does.',
})

/** The consent states of one person, by purpose. */
export const Consents = named(
  'Consents',
  Type.Object(
    {
      recording: about(ConsentState, 'Consent to the recording.'),
      observation: about(ConsentState, 'Consent to be observed.'),
      transcription: Type.Optional(
        about(ConsentState, 'Consent to live text. Absent where the room has none, and for staff.'),
      ),
    },
    { description: 'The consent of a person, by purpose.' },
  ),
)
export type Consents = Static<typeof Consents>

/** The text that panelists read before they answer. The operator sets it for each tenant and language. */
export const ConsentText = named(
  'ConsentText',
  Type.Object(
    {
      language: Locale,
      version: string('Version of the text. Answers record it.'),
      company: string('Company that is responsible for the interview.'),
      purpose: string('What recordings are used for.'),
      retention: string('How long recordings are kept.'),
      contact: string('Whom to ask, and where to withdraw a consent later.'),
    },
    { description: 'What panelists read before they answer, in one language.' },
  ),
)
export type ConsentText = Static<typeof ConsentText>

export const ConsentTexts = Type.Array(ConsentText, {
  description: 'What panelists read before they answer: one text for each language of the pages.',
})
