import { type Static, Type } from 'typebox'
import { dateTime, ExternalIdText, ExternalType, Immutable, named, PageQuery } from './envelope.ts'
import { SessionName } from './rooms.ts'
import { about } from './schema.ts'

/** Query of `GET /sessions`: the lookup by external reference, which needs both external parameters. */
export const SessionQuery = Type.Object(
  {
    external_type: about(
      ExternalType,
      'Kind of your record, such as `Slot` or `User`. Always together with `external_id`.',
      {
        examples: ['Slot'],
      },
    ),
    external_id: about(ExternalIdText, 'Id of your record. Always together with `external_type`.', {
      examples: ['48213'],
    }),
    ...PageQuery,
  },
  { additionalProperties: false },
)

/**
 * Merge patch of `PATCH /sessions/{session_id}`: an absent member stays unchanged, and null clears it (`name` only).
 * `external_type` and `external_id` are listed, so that they are refused as immutable.
 */
export const SessionPatch = named(
  'SessionPatch',
  Type.Object(
    {
      name: Type.Optional(about(SessionName, 'New name. Null removes the name.')),
      starts_at: Type.Optional(dateTime('New start of the slot. Only before anyone has entered.')),
      ends_at: Type.Optional(
        dateTime(
          'New end of the slot: after `starts_at`, in the future, and at most 24 hours after `starts_at`. Only before anyone has entered.',
        ),
      ),
      external_type: Type.Optional(Immutable),
      external_id: Type.Optional(Immutable),
    },
    {
      additionalProperties: false,
      description: 'What to change. An absent member stays as it is.',
    },
  ),
)
export type SessionPatch = Static<typeof SessionPatch>
