import { type Static, Type } from 'typebox'
import { ChatMessageBody } from './chat.ts'
import { ConnectionTestBody } from './connection-tests.ts'
import { Role } from './enums.ts'
import {
  about,
  DateTime,
  dateTime,
  ExternalId,
  ExternalType,
  freeText,
  KEPT_CHARACTERS,
  named,
  NULLABLE_EXTERNAL_REF,
  nullable,
  PageQuery,
  string,
  Uuid,
  uuid,
} from './envelope.ts'
import { EXPORT_ROOMS_MAX, LEGAL_HOLD_REASON_MAX } from './limits.ts'
import { LiveTextBody } from './live-text.ts'
import { EntryHistoryBody, ParticipantBody } from './participants.ts'
import { RoomEventBody } from './room-events.ts'
import { wordsOf } from './schema.ts'

// Data protection in the tenant's management API (scope `manage`).

const STRICT = { additionalProperties: false } as const

const count = (description: string) => Type.Integer({ minimum: 0, description })

const RecordingsOfErasure = wordsOf('RecordingsOfErasure', ['delete', 'keep'] as const, {
  about: 'What becomes of the recordings of rooms in which the person was.',
  delete: 'They are deleted whole, for everybody who is in them, with what was made of them.',
  keep: 'Their files stay whole, with processed recordings, clips, reels and transcripts; `completeness` no longer names the person.',
})

export const ErasureState = wordsOf(
  'ErasureState',
  ['pending', 'waiting', 'blocked', 'done'] as const,
  {
    about: 'How far an erasure is.',
    pending: 'It is about to begin, or being carried out.',
    waiting:
      'It continues when the rooms that the person entered are over, and recordings that are kept are made.',
    blocked: 'A legal hold covers what is left. It continues when the hold is released.',
    done: 'Nothing of the person is left but what the receipt names.',
  },
)
export type ErasureState = Static<typeof ErasureState>

export const ErasureRequest = named(
  'ErasureRequest',
  Type.Object(
    {
      external_type: ExternalType,
      external_id: ExternalId,
      recordings: Type.Optional(
        about(
          RecordingsOfErasure,
          'What becomes of recordings: they hold several people and cannot be cut by person.',
          { default: 'delete' },
        ),
      ),
    },
    { ...STRICT, description: 'Whom to erase.' },
  ),
)
export type ErasureRequest = Static<typeof ErasureRequest>

export const ErasedCounts = named(
  'ErasedCounts',
  Type.Object(
    {
      participants: count('Participants, one for each role in a room.'),
      entries: count('Rows of the attendance.'),
      admissions: count('Admissions: device, address and token id.'),
      room_events: count(
        'Entries of room logs by or about the person: markers, questions, consent, ratings and so on.',
      ),
      chat_messages: count('Chat messages of the person, with their files.'),
      live_texts: count('Live texts of what the person said.'),
      recordings: count('Recordings.'),
      processed_recordings: count('Processed recordings.'),
      clips: count('Clips and reels of recordings.'),
      transcriptions: count('Transcriptions.'),
      connection_tests: count('Connection tests.'),
      events: count('Events of the feed and of webhooks; the person is taken out of them.'),
    },
    { description: 'How much is removed, by kind.' },
  ),
)
export type ErasedCounts = Static<typeof ErasedCounts>

export const RemainingData = named(
  'RemainingData',
  Type.Object(
    {
      room_id: uuid('Id of the room that it belongs to.'),
      what: wordsOf('RemainingKind', ['everything', 'recordings'] as const, {
        about: 'What of the room stays.',
        everything: 'Everything of the person in this room.',
        recordings: 'The recordings of the room, with what was made of them.',
      }),
      reason: wordsOf('RemainingReason', ['legal_hold', 'kept_on_request'] as const, {
        about: 'Why it stays.',
        legal_hold: 'A legal hold covers the room, or somebody who was in it.',
        kept_on_request: 'The request said `keep`.',
      }),
      legal_hold_id: nullable(Uuid, 'The legal hold. Null where there is none.'),
    },
    { description: 'Something that stays, and why.' },
  ),
)
export type RemainingData = Static<typeof RemainingData>

const Remains = Type.Array(RemainingData, { description: 'What stays, and why.' })

const subject = string(
  'The person as a keyed hash of the reference: the same for the same person, and of no use without the service.',
)

export const ErasureBody = named(
  'Erasure',
  Type.Object(
    {
      id: uuid('Id of the erasure.'),
      state: ErasureState,
      subject,
      recordings: RecordingsOfErasure,
      requested_at: dateTime('When it was requested.'),
      requested_by: string('Public part of the API key that requested it, or `operator`.'),
      waits_until: nullable(
        DateTime,
        'When it looks again whether the rooms are over. Null unless it is waiting.',
      ),
      removed: about(ErasedCounts, 'What was removed so far.'),
      remains: Remains,
      finished_at: nullable(DateTime, 'When it was done. Null before.'),
      receipt: nullable(
        Type.String(),
        'Signed statement of what was removed and what stays (a JWS). Null until it is `done` or `blocked`.',
      ),
      previous_erasure_id: nullable(
        Uuid,
        'The last erasure of the same person, done before this one was requested: what went then is not in `removed`. Null without one.',
      ),
    },
    { description: 'The erasure of one person.' },
  ),
)
export type ErasureBody = Static<typeof ErasureBody>

export const ErasurePreviewBody = named(
  'ErasurePreview',
  Type.Object(
    {
      subject,
      removed: about(ErasedCounts, 'What would be removed.'),
      remains: Remains,
      waits_until: nullable(
        DateTime,
        'Until when an erasure would wait for rooms of the person. Null if they are over.',
      ),
    },
    { description: 'What an erasure would do.' },
  ),
)
export type ErasurePreviewBody = Static<typeof ErasurePreviewBody>

/** Hash of a person, in erasures and receipts. */
export const SUBJECT_HASH = '^[0-9a-f]{64}$'

export const ErasureQuery = Type.Object(
  {
    subject: Type.Optional(
      Type.String({
        pattern: SUBJECT_HASH,
        description: 'Erasures of this person only: `subject` of another erasure or of a preview.',
      }),
    ),
    ...PageQuery,
  },
  STRICT,
)

export const DataExport = named(
  'DataExportRequest',
  Type.Object(
    {
      external_type: ExternalType,
      external_id: ExternalId,
      cursor: PageQuery.cursor,
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: EXPORT_ROOMS_MAX,
          default: EXPORT_ROOMS_MAX,
          description: 'How many rooms the page has at most.',
        }),
      ),
    },
    { ...STRICT, description: 'Whose data to export, and which page of it.' },
  ),
)
export type DataExport = Static<typeof DataExport>

const ExportedAdmission = named(
  'ExportedAdmission',
  Type.Object(
    {
      role: Role,
      display_name: string('Name in the participant token.'),
      token_id: nullable(Type.String(), 'Id (`jti`) of the participant token. Null without one.'),
      browser_name: nullable(Type.String(), 'Name of the browser.'),
      browser_version: nullable(Type.String(), 'Version of the browser.'),
      platform_name: nullable(Type.String(), 'Operating system.'),
      platform_version: nullable(Type.String(), 'Version of the operating system.'),
      ip_address: nullable(Type.String(), 'IP address.'),
      admitted_at: dateTime('When the person was admitted.'),
    },
    { description: 'One admission of the person to a room. Kept for a limited time.' },
  ),
)

export const ExportedRoomBody = named(
  'ExportedRoom',
  Type.Object(
    {
      room_id: uuid('Id of the room.'),
      participants: Type.Array(ParticipantBody, {
        description: 'The person in this room, once for each role.',
      }),
      entries: Type.Array(EntryHistoryBody, { description: 'Their attendance, oldest first.' }),
      admissions: Type.Array(ExportedAdmission, {
        description: 'Their admissions, oldest first, as far as they are still kept.',
      }),
      chat_messages: Type.Array(ChatMessageBody, {
        description: 'What they wrote, oldest first.',
      }),
      room_events: Type.Array(RoomEventBody, {
        description: 'Entries of the room log by or about them, oldest first.',
      }),
      live_texts: Type.Array(LiveTextBody, {
        description: 'Live texts of what they said, oldest first.',
      }),
      recording_ids: Type.Array(Uuid, {
        description: 'Recordings of the room. They show other people, too.',
      }),
      connection_test: nullable(
        ConnectionTestBody,
        'The connection test that this room was for. Null for an interview.',
      ),
    },
    { description: 'Everything of the person in one room.' },
  ),
)
export type ExportedRoomBody = Static<typeof ExportedRoomBody>

export const LegalHoldRequest = named(
  'LegalHoldRequest',
  Type.Object(
    {
      room_id: Type.Optional(uuid('The room to hold. Instead of a person.')),
      external_type: Type.Optional(ExternalType),
      external_id: Type.Optional(ExternalId),
      reason: about(
        freeText(LEGAL_HOLD_REASON_MAX),
        `Why it is held, such as the number of a case. ${KEPT_CHARACTERS}`,
      ),
    },
    {
      ...STRICT,
      description: 'What to hold: a room, or every room that a person has entered or will enter.',
    },
  ),
)
export type LegalHoldRequest = Static<typeof LegalHoldRequest>

export const LegalHoldBody = named(
  'LegalHold',
  Type.Object(
    {
      id: uuid('Id of the legal hold.'),
      room_id: nullable(Uuid, 'The room that is held. Null when a person is.'),
      ...NULLABLE_EXTERNAL_REF,
      reason: string('Why it is held.'),
      created_at: dateTime('When it was placed.'),
    },
    { description: 'What neither an erasure nor retention deletes.' },
  ),
)
export type LegalHoldBody = Static<typeof LegalHoldBody>
