import { ATTACHMENT_MAX_BYTES, TRANSCRIPTION_LANGUAGES } from '@interview-room/contract/limits.ts'
import { errorExamples } from './error-responses.ts'
import type { SchemaNames } from './name-schemas.ts'

type Schema = Record<string, unknown>

/** Everything but the schemas, which are known once the whole document has been read. */
export function components() {
  return {
    securitySchemes: SECURITY_SCHEMES,
    parameters: { IdempotencyKey: IDEMPOTENCY_KEY, IfMatch: IF_MATCH, LastEventId: LAST_EVENT_ID },
    examples: errorExamples(),
  }
}

/** The schemas by name, some of them described more exactly than the server checks by a schema. */
export function schemasOf(naming: SchemaNames): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(naming.schemas()).map(([name, schema]) => [
      name,
      readable(REFINED[name]?.(schema) ?? schema),
    ]),
  )
}

/**
 * A closed object with members of another schema or null: OpenAPI Generator understands them unless
 * `additionalProperties` is false. `unevaluatedProperties` says the same.
 */
function readable({ additionalProperties, ...schema }: Schema): Schema {
  if (additionalProperties === undefined) return schema
  const members = Object.values((schema['properties'] ?? {}) as Record<string, Schema>)
  const isClosed = additionalProperties === false && members.some((member) => 'anyOf' in member)
  return isClosed
    ? { ...schema, unevaluatedProperties: false }
    : { ...schema, additionalProperties }
}

const SECURITY_SCHEMES = {
  apiKeyAuth: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      'API key of your backend, as `Authorization: ApiKey <key_id>.<secret>`. The operator issues it. Never send it to a browser.',
  },
  participantAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'To enter, the participant token that your backend signs. Afterwards, the room ticket of the response. On the page of a connection test, the ticket in its link.',
  },
  viewerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A viewer token: your backend signs it for somebody who sees recordings, and it says which of them and what the person may do.',
  },
  operatorAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The board token in the link that the operator creates with `npm run admin -- operators board-link`.',
  },
} as const

/** Rules that the server checks itself, so that a refusal can say more than a schema could. */
const PAIR = {
  dependentRequired: { external_type: ['external_id'], external_id: ['external_type'] },
}
const when = (property: string, word: string) => ({ properties: { [property]: { const: word } } })
/** `if`, `then` and `else`, and not `anyOf`: generators of code make no type of it. */
function depending(condition: Schema, [yes, no]: readonly [Schema, Schema]): Schema {
  // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
  return { if: condition, then: yes, else: no }
}

/** Members that must be there, and members that must not. Linters want the others named, too. */
function members(
  { properties = {} }: Schema,
  required: readonly string[],
  refused: readonly string[] = [],
): Schema {
  const names = Object.keys(properties as Schema)
  const rules = names.map((name) => [name, refused.includes(name) ? { not: {} } : {}])
  return { required, properties: Object.fromEntries(rules) }
}

const REFINED: Readonly<Record<string, (schema: Schema) => Schema>> = {
  EntryRequest: (schema) => ({ ...schema, dependentRequired: { access_token: ['name'] } }),
  HandoutRequest: (schema) => ({ ...schema, ...PAIR }),
  ConnectionTestRequest: (schema) => ({ ...schema, ...PAIR }),
  SimulatedPersonRequest: (schema) => ({ ...schema, ...PAIR }),
  LegalHoldRequest: (schema) => ({
    ...schema,
    ...depending(members(schema, ['room_id']), [
      members(schema, [], ['external_type', 'external_id']),
      members(schema, ['external_type', 'external_id']),
    ]),
  }),
  ConnectionTestReport: (schema) => ({
    ...schema,
    ...depending(when('status', 'completed'), [
      members(schema, ['devices', 'baseline', 'load', 'measured_sec'], ['failure_reason']),
      members(schema, ['failure_reason']),
    ]),
  }),
  SendMessage: (schema) => ({
    ...schema,
    ...depending(when('content_type', 'file'), [
      members(schema, ['attachment_id']),
      members(schema, ['text'], ['attachment_id']),
    ]),
  }),
  AttachmentRequest: (schema) => {
    const properties = schema['properties'] as Record<string, Schema>
    const size = { ...properties['size'], maximum: ATTACHMENT_MAX_BYTES }
    return { ...schema, properties: { ...properties, size } }
  },
  TranscriptionLanguage: (schema) => ({ ...schema, enum: TRANSCRIPTION_LANGUAGES }),
  Immutable: (schema) => ({ ...schema, not: {} }),
}

const IDEMPOTENCY_KEY = {
  in: 'header',
  name: 'Idempotency-Key',
  required: false,
  description:
    'Makes a retry safe. For 24 hours, the same request with the same key returns the first successful response again. Use a new random key for each action, such as a UUID.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  example: '6f1d3c52-8f0b-4a53-9a54-2f9c1c1b6d07',
}

const IF_MATCH = {
  in: 'header',
  name: 'If-Match',
  required: true,
  description: 'The ETag of what you change, as you read it.',
  schema: { type: 'string' },
  example: '"0"',
}

const LAST_EVENT_ID = {
  in: 'header',
  name: 'Last-Event-ID',
  required: false,
  description:
    'Last `id` that you received. The stream continues after it instead of starting with a snapshot.',
  schema: { type: 'string' },
}
