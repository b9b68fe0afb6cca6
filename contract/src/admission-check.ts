import { type Static, Type } from 'typebox'
import { BrandingBody } from './branding.ts'
import { Consents, ConsentTexts } from './consent.ts'
import { Role } from './enums.ts'
import { about, boolean, DateTime, dateTime, named, nullable, text } from './envelope.ts'
import { wordsOf } from './schema.ts'

/**
 * The consequence of declining the recording. `required`: the person cannot enter. `optional`: nothing is recorded
 * while the person is inside.
 */
export const RECORDING_CONSENTS = ['required', 'optional'] as const

export const RecordingConsent = wordsOf('RecordingConsent', RECORDING_CONSENTS, {
  about: 'What happens when a person who is asked declines the recording.',
  required: 'The person cannot take part. So it is when `archive_mode` is `always`.',
  optional: 'Nothing is recorded while this person is in the room.',
})

export const ObservationConsent = wordsOf('ObservationConsent', ['required', 'informed'] as const, {
  about: 'Whether panelists are asked to be observed.',
  required: 'Observers and operators receive nothing until every present panelist agrees.',
  informed: 'Panelists are informed that others may watch.',
})

export const EntrySession = named(
  'EntrySession',
  Type.Object(
    {
      name: nullable(Type.String(), 'Name of the session. Null when unset.'),
      starts_at: dateTime('Start of the slot.'),
      ends_at: dateTime('End of the slot.'),
    },
    { description: 'The slot.' },
  ),
)

export const CLOSES_AT =
  'End of the time window, 30 minutes after the slot. Null when the room has no session.'

/** Body of `POST .../live/admission-check`. It is the body of an entry without the name. */
export const AdmissionCheckRequest = named(
  'AdmissionCheckRequest',
  Type.Object(
    {
      access_token: Type.Optional(
        about(text(128), 'Simple route only: `access_token` of the session.'),
      ),
    },
    { additionalProperties: false, description: 'Who asks, on the simple route.' },
  ),
)
export type AdmissionCheckRequest = Static<typeof AdmissionCheckRequest>

/** The facts that a page shows before it asks for a camera. Coming early is no refusal: `is_open` is false. */
export const AdmissionCheckBody = named(
  'AdmissionCheck',
  Type.Object(
    {
      now: dateTime('Time of the service.'),
      is_open: boolean('Whether the person may enter now. False before `opens_at`.'),
      opens_at: nullable(
        DateTime,
        'Start of the time window, 30 minutes before the slot. Null when the room has no session.',
      ),
      closes_at: nullable(DateTime, CLOSES_AT),
      role: Role,
      display_name: nullable(Type.String(), 'Name in the token. Null on the simple route.'),
      session: nullable(EntrySession, 'The slot. Null when the room has no session.'),
      is_recorded: boolean('Whether the room is always recorded, or is being recorded now.'),
      recording_consent: RecordingConsent,
      is_consent_obtained: boolean('You have the consent to the recording from elsewhere.'),
      observation_consent: ObservationConsent,
      consents: about(Consents, 'The consent of this person, by purpose.'),
      consent_texts: ConsentTexts,
      branding: Type.Optional(BrandingBody),
    },
    { description: 'What awaits a person who has not entered yet.' },
  ),
)
export type AdmissionCheckBody = Static<typeof AdmissionCheckBody>
