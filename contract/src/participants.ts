import { type Static, Type } from 'typebox'
import { ParticipantStatus, Role } from './enums.ts'
import {
  about,
  DateTime,
  dateTime,
  freeText,
  KEPT_CHARACTERS,
  LongInteger,
  named,
  NULLABLE_EXTERNAL_REF,
  nullable,
  PageQuery,
  string,
  Uuid,
  uuid,
} from './envelope.ts'
import { BAN_REASON_MAX } from './limits.ts'

const device = (what: string) =>
  nullable(Type.String(), `${what}, at the time of entry. Null when unknown.`)

export const ParticipantBody = named(
  'Participant',
  Type.Object(
    {
      id: uuid('Id of the participant.'),
      room_id: uuid('Id of the room.'),
      role: Role,
      display_name: string('Name from the participant token.'),
      ...NULLABLE_EXTERNAL_REF,
      status: ParticipantStatus,
      banned_at: nullable(DateTime, 'When the participant was banned. Null when never banned.'),
      created_at: dateTime('When a participant token of this person was first verified.'),
    },
    {
      description:
        'A person in one role in one room. Created when a participant token is verified for the first time.',
    },
  ),
)
export type ParticipantBody = Static<typeof ParticipantBody>

const RoleFilter = Type.Optional(about(Role, 'Only this role.'))

/** Query of `GET /rooms/{room_id}/participants`. */
export const ParticipantQuery = Type.Object(
  {
    role: RoleFilter,
    status: Type.Optional(about(ParticipantStatus, 'Only this status.')),
    ...PageQuery,
  },
  { additionalProperties: false },
)

export const EntryHistoryBody = named(
  'EntryHistory',
  Type.Object(
    {
      id: about(LongInteger, 'Id of this row.'),
      room_id: uuid('Id of the room.'),
      participant_id: nullable(Uuid, 'Id of the participant. Null on the simple route.'),
      name: string('Name at the time of entry.'),
      role: Role,
      browser_name: device('Name of the browser'),
      browser_version: device('Version of the browser'),
      platform_name: device('Name of the operating system'),
      platform_version: device('Version of the operating system'),
      ip_address: nullable(Type.String(), 'IP address at the time of entry. Null when unknown.'),
      entered_at: dateTime('When the media connection began.'),
      left_at: nullable(DateTime, 'When the media connection ended. Null while it lasts.'),
      duration_sec: nullable(
        Type.Integer(),
        'Seconds between `entered_at` and `left_at`. Null while the connection lasts.',
      ),
    },
    { description: 'One media connection of one person, with its start and end.' },
  ),
)
export type EntryHistoryBody = Static<typeof EntryHistoryBody>

/** Query of `GET /rooms/{room_id}/entry-histories`. */
export const EntryHistoryQuery = Type.Object(
  { role: RoleFilter, ...PageQuery },
  { additionalProperties: false },
)

/** Body of `POST /rooms/{room_id}/participants/{participant_id}/ban`. */
export const BanRequest = named(
  'BanRequest',
  Type.Object(
    {
      reason: about(
        freeText(BAN_REASON_MAX),
        `Why the person is banned. Recorded in the room event \`participant.banned\`. ${KEPT_CHARACTERS}`,
      ),
    },
    { additionalProperties: false, description: 'Why a person is banned.' },
  ),
)
export type BanRequest = Static<typeof BanRequest>

export const BanBody = named(
  'Ban',
  Type.Object(
    {
      participant_id: uuid('Id of the banned participant.'),
      status: Type.Literal('banned', { description: 'Always `banned`.' }),
    },
    { description: 'A ban that is in effect.' },
  ),
)
export type BanBody = Static<typeof BanBody>
