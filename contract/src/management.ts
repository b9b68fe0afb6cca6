import { type Static, Type } from 'typebox'
import { Role } from './enums.ts'
import {
  about,
  DateTime,
  dateTime,
  LongInteger,
  named,
  nullable,
  PageQuery,
  PeriodQuery,
  string,
  text,
} from './envelope.ts'
import {
  API_KEY_NOTE_MAX,
  API_KEY_OVERLAP_DEFAULT_SEC,
  API_KEY_OVERLAP_MAX_SEC,
  TOKEN_KEY_NAME_MAX,
} from './limits.ts'
import { oneOf, wordsOf } from './schema.ts'

// Bodies of the operations that need an API key with the scope `manage`.

const STRICT = { additionalProperties: false } as const

export const API_KEY_SCOPES = ['control', 'manage'] as const
export const ApiKeyScope = wordsOf('ApiKeyScope', API_KEY_SCOPES, {
  about: 'What an API key may call.',
  control: 'Every operation that does not ask for `manage`.',
  manage: 'Keys, webhook endpoints and their deliveries, the access log, usage, data protection.',
})
export type ApiKeyScope = Static<typeof ApiKeyScope>

const Scopes = Type.Array(ApiKeyScope, {
  minItems: 1,
  maxItems: API_KEY_SCOPES.length,
  uniqueItems: true,
  description: 'What the key may call.',
})

const API_KEY_FIELDS = {
  key_id: string('Public part of the key: what stands before the dot.'),
  note: nullable(Type.String(), 'What the key is for. Null without a note.'),
  scopes: Scopes,
  created_at: dateTime('When the key was issued.'),
  expires_at: nullable(DateTime, 'From when it is refused. Null for a key without an end.'),
  last_used_at: nullable(
    DateTime,
    'When it was last accepted, to a minute. Null if it has never been used.',
  ),
  revoked_at: nullable(DateTime, 'When it was revoked. Null while it is valid.'),
}

export const ApiKeyBody = named(
  'ApiKey',
  Type.Object(API_KEY_FIELDS, { description: 'An API key without its secret.' }),
)
export type ApiKeyBody = Static<typeof ApiKeyBody>

/** The only answer that contains the secret. */
export const IssuedApiKeyBody = named(
  'IssuedApiKey',
  Type.Object(
    {
      ...API_KEY_FIELDS,
      api_key: string(
        'The whole key, as the header Authorization takes it behind `ApiKey `. It is shown only once.',
      ),
    },
    { description: 'A new API key with its secret.' },
  ),
)
export type IssuedApiKeyBody = Static<typeof IssuedApiKeyBody>

export const ApiKeyRequest = named(
  'ApiKeyRequest',
  Type.Object(
    {
      note: Type.Optional(about(text(API_KEY_NOTE_MAX), 'What the key is for.')),
      scopes: Type.Optional(about(Scopes, 'What the key may call.', { default: ['control'] })),
      expires_at: Type.Optional(
        dateTime('From when it is refused; in the future. Without it the key has no end.'),
      ),
    },
    { ...STRICT, description: 'The key to issue.' },
  ),
)
export type ApiKeyRequest = Static<typeof ApiKeyRequest>

/** Optional body of `POST /api-keys/{key_id}/rotate`. */
export const ApiKeyRotation = nullable(
  named(
    'ApiKeyRotation',
    Type.Object(
      {
        overlap_seconds: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: API_KEY_OVERLAP_MAX_SEC,
            description: `For how many seconds the old key stays valid, unless it ends earlier: by default ${API_KEY_OVERLAP_DEFAULT_SEC}. 0 ends it within a second.`,
          }),
        ),
        expires_at: Type.Optional(
          dateTime(
            'From when the new key is refused; in the future. Without it the key has no end.',
          ),
        ),
      },
      { ...STRICT, description: 'How a key is replaced.' },
    ),
  ),
)
export type ApiKeyRotation = Static<typeof ApiKeyRotation>

/** Algorithms of participant tokens. */
const TokenKeyAlg = named(
  'TokenKeyAlgorithm',
  about(oneOf(['ES256', 'EdDSA', 'RS256'] as const), 'Algorithm of the signature.'),
)

const PublicJwk = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'The public key as a JWK: P-256 for ES256, Ed25519 for EdDSA, at least 2,048 bits for RS256. A private key is refused.',
})

export const TokenKeyBody = named(
  'TokenKey',
  Type.Object(
    {
      kid: string('Name of the key: the header `kid` of the tokens it signs.'),
      alg: TokenKeyAlg,
      public_jwk: PublicJwk,
      status: wordsOf('TokenKeyStatus', ['active', 'retired', 'revoked'] as const, {
        about: 'Whether tokens of this key are accepted.',
        active: 'Accepted.',
        retired: 'Refused since a rotation.',
        revoked: 'Refused because the key was exposed.',
      }),
      allowed_roles: Type.Array(Role, { description: 'Roles that its tokens may have.' }),
      not_before: nullable(DateTime, 'From when it is accepted. Null for no start.'),
      not_after: nullable(DateTime, 'Until when it is accepted. Null for no end.'),
      created_at: dateTime('When it was registered.'),
    },
    { description: 'A public key that verifies your participant tokens.' },
  ),
)
export type TokenKeyBody = Static<typeof TokenKeyBody>

const TENANT_ROLES = ['moderator', 'observer', 'panelist'] as const
const TenantRole = named(
  'TenantRole',
  about(oneOf(TENANT_ROLES), 'A role that a key of yours may sign.'),
)

/** ASCII without spaces and control characters. */
export const VISIBLE_ASCII = '^[\\x21-\\x7e]+$'

export const TokenKeyRequest = named(
  'TokenKeyRequest',
  Type.Object(
    {
      kid: Type.String({
        minLength: 1,
        maxLength: TOKEN_KEY_NAME_MAX,
        pattern: VISIBLE_ASCII,
        description: 'Name of the key, unique among yours: visible ASCII characters.',
      }),
      alg: TokenKeyAlg,
      public_jwk: PublicJwk,
      allowed_roles: Type.Optional(
        Type.Array(TenantRole, {
          minItems: 1,
          maxItems: TENANT_ROLES.length,
          uniqueItems: true,
          description: 'Roles that its tokens may have; all three if absent.',
        }),
      ),
      not_before: Type.Optional(dateTime('From when it is accepted.')),
      not_after: Type.Optional(dateTime('Until when it is accepted; after `not_before`.')),
    },
    { ...STRICT, description: 'The public key to register.' },
  ),
)
export type TokenKeyRequest = Static<typeof TokenKeyRequest>

export const TokenKeyPatch = named(
  'TokenKeyPatch',
  Type.Object(
    {
      status: about(
        named('TokenKeyEnd', about(oneOf(['retired', 'revoked'] as const), 'How a key ends.')),
        '`retired` after a rotation, `revoked` for a key that was exposed. A revoked key stays revoked.',
      ),
    },
    { ...STRICT, description: 'The new status. A key never becomes active again.' },
  ),
)
export type TokenKeyPatch = Static<typeof TokenKeyPatch>

export const UsageQuery = Type.Object(PeriodQuery, STRICT)

const count = (description: string) => Type.Integer({ minimum: 0, description })

const limit = (description: string) => nullable(Type.Integer({ minimum: 1 }), description)

export const UsageBody = named(
  'Usage',
  Type.Object(
    {
      from: dateTime('Start of the period, inclusive.'),
      to: dateTime('End of the period, exclusive.'),
      rooms_booked: count('Rooms booked in the period.'),
      entries: count('Media connections that began in the period.'),
      participant_minutes: Type.Number({
        minimum: 0,
        description: 'Minutes that people were connected within the period, added up.',
      }),
      recordings: count(
        'Recordings that began in the period and have or had a file, without deleted ones.',
      ),
      recorded_minutes: Type.Number({
        minimum: 0,
        description: 'Length of those recordings, in minutes.',
      }),
      transcriptions: count('Transcriptions that were requested in the period.'),
      connection_tests: count('Connection tests that were booked in the period.'),
      rooms_open: count(
        'Rooms that are booked or open now: neither closed nor cancelled, and the window has not ended.',
      ),
      stored_bytes: Type.Integer({
        ...LongInteger,
        minimum: 0,
        description:
          'Bytes of the recordings with the sound of each person, transcripts, processed recordings, clips and handouts that are stored now.',
      }),
      limits: Type.Object(
        {
          requests_per_min: limit('Requests of all your API keys in a minute.'),
          rooms_open: limit('Rooms that may be booked or open at the same time.'),
          stored_bytes: nullable(
            Type.Integer({ ...LongInteger, minimum: 1 }),
            'Bytes from which on nothing new can be booked or uploaded. What is booked is recorded nevertheless.',
          ),
        },
        { description: 'What the operator allows you; null without a limit.' },
      ),
    },
    { description: 'What you used in a period, and what you store now.' },
  ),
)
export type UsageBody = Static<typeof UsageBody>

/** Id of an event in the feed. */
export const EVENT_ID = '^evt_[0-9a-f]{32}$'

export const EventQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        pattern: EVENT_ID,
        description:
          'Id of the last event that you have processed: the list continues behind it. Without it, the list begins with the oldest event.',
      }),
    ),
    type: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Events of this type only.' }),
    ),
    ...PageQuery,
  },
  STRICT,
)

export const EventBody = named(
  'Event',
  Type.Object(
    {
      id: string('Id of the event: the header `webhook-id` of its deliveries.'),
      version: string('Version of the form.'),
      type: string(
        'Type of the event: a type of webhook, or `retention.notice`, for which no webhook is sent. New types may be added.',
      ),
      occurred_at: dateTime('When it happened.'),
      data: Type.Record(Type.String(), Type.Unknown(), {
        description:
          'The data of the webhook of this type. `retention.notice` has `kind` (`recordings`, `chat` or `handouts`), `room_id`, `delete_at` and the `days` of the rule.',
      }),
    },
    { description: 'An event, as its webhook reports it if it has one.' },
  ),
)
export type EventBody = Static<typeof EventBody>
