import { AdmissionCheckRequest } from '../admission-check.ts'
import { nullable } from '../envelope.ts'
import { FarewellBody } from '../farewell.ts'
import { operation } from './operation.ts'
import { RoomParams } from './params.ts'
import { PARTICIPANT, SESSION } from './samples.ts'

const RECORDING_ID = '019a3083-9b1e-7c44-8f0a-5e2d7c6b1a90'

export const readFarewell = operation({
  id: 'readFarewell',
  method: 'POST',
  path: '/rooms/{room_id}/live/farewell',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Read what follows the interview',
  description:
    'The last page calls it, with the same credential as for entering. It returns the state of the recording to staff, the markers of the person, and where the person may go. It works at any time: also when the room is closed, the session cancelled or the window over, and for people who were removed. It admits nobody and records nothing.',
  credential: 'token or body',
  params: RoomParams,
  body: nullable(AdmissionCheckRequest),
  answers: { 200: FarewellBody },
  refusals: ['UNKNOWN_ROLE', 'NOT_FOUND'],
  example: {
    request: {},
    answer: {
      role: 'moderator',
      has_entered: true,
      session: {
        name: SESSION.name,
        starts_at: SESSION.starts_at,
        ends_at: SESSION.ends_at,
      },
      recording: {
        id: RECORDING_ID,
        status: 'stopped',
        recorded_sec: 3540.2,
        estimated_available_at: '2030-11-21T02:12:00.000Z',
      },
      markers: [
        {
          type: 'marker',
          participant_id: PARTICIPANT.id,
          identity: PARTICIPANT.id,
          display_name: PARTICIPANT.display_name,
          payload: { note: 'Ask about the price', recording_id: RECORDING_ID, offset_sec: 612 },
          created_at: '2030-11-21T01:10:16.000Z',
        },
      ],
      review_url: null,
      return_url: 'https://example.com/interviews',
      consent_texts: [
        {
          language: 'en',
          version: '2030-04',
          company: 'Example Research Ltd',
          purpose: 'To analyse how people use the product.',
          retention: 'For one year, then deleted.',
          contact: 'privacy@example.com',
        },
      ],
      branding: { name: 'Example Research', logo_url: null, palette: null, help_contact: null },
    },
  },
})
