import { type Static, Type } from 'typebox'
import { EntrySession } from './admission-check.ts'
import { BrandingBody } from './branding.ts'
import { ConsentTexts } from './consent.ts'
import { RecordingStatus, Role } from './enums.ts'
import { boolean, DateTime, named, nullable, uuid } from './envelope.ts'
import { ReturnUrl } from './live-entry.ts'
import { PostedEvent } from './live-stream.ts'

/** Markers in a farewell at most, the newest ones. */
export const FAREWELL_MARKERS_MAX = 1000

/** The facts for a person's last page. They are the same for a person who has left, and after the end. */
export const FarewellBody = named(
  'Farewell',
  Type.Object(
    {
      role: Role,
      has_entered: boolean(
        'Whether the person has entered the room in this role. False on the simple route.',
      ),
      session: nullable(EntrySession, 'The slot. Null when the room has no session.'),
      recording: nullable(
        named(
          'FarewellRecording',
          Type.Object(
            {
              id: uuid('Id of the recording.'),
              status: RecordingStatus,
              recorded_sec: Type.Number({ description: 'Seconds recorded, without pauses.' }),
              estimated_available_at: nullable(
                DateTime,
                'When its file is likely to be there. Null when that is not known.',
              ),
            },
            { description: 'A recording after the interview.' },
          ),
        ),
        'The newest recording of the room. Null before the first one, for panelists and for banned people.',
      ),
      markers: Type.Array(PostedEvent, {
        description:
          'The newest 1,000 markers of the person, private ones included, oldest first. Empty for banned people.',
      }),
      review_url: nullable(
        Type.String(),
        'Address of the review room with the recordings of the room, for staff whom the tenant allows to review. It needs no other credential. Null for everybody else, and while there is no recording.',
      ),
      return_url: ReturnUrl,
      consent_texts: ConsentTexts,
      branding: BrandingBody,
    },
    { description: 'What a person may know after the interview.' },
  ),
)
export type FarewellBody = Static<typeof FarewellBody>
