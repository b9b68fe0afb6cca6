import { SUBJECT_HASH } from '@interview-room/contract/data-protection.ts'
import { CURSOR, KEPT_TEXT, PLAIN, WITHOUT_NUL } from '@interview-room/contract/envelope.ts'
import type { DetailCode } from '@interview-room/contract/errors.ts'
import { MEDIA_TYPE } from '@interview-room/contract/live-chat.ts'
import { MEDIA_SID } from '@interview-room/contract/live-entry.ts'
import { EVENT_ID, VISIBLE_ASCII } from '@interview-room/contract/management.ts'
import { SEARCHED } from '@interview-room/contract/transcripts.ts'
import type { FastifySchemaValidationError } from 'fastify'

/** A fault that a schema found, with the refused value and the schema that refused it. */
export type Fault = FastifySchemaValidationError & {
  data?: unknown
  parentSchema?: object
  params: {
    type?: string | readonly string[]
    limit?: string
    format?: string
    pattern?: string
    allowedValues?: readonly unknown[]
    allowedValue?: unknown
    missingProperty?: string
    additionalProperty?: string
  }
}

interface Bounds {
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minProperties?: number
  maxProperties?: number
  properties?: Record<string, unknown>
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'must be an RFC 3339 date-time such as 2030-11-21T01:00:00Z',
  uuid: 'must be a UUID such as 019a2f6e-0d31-7c51-8f02-77c1d9b4e210',
}

/** A regular expression does not help a reader, so each pattern of a body or a query is put in words here. */
export const PATTERNS: Readonly<Record<string, string>> = {
  [PLAIN]: 'must not have control characters',
  [WITHOUT_NUL]: 'must not have NUL characters',
  [KEPT_TEXT]: 'must have a character other than control characters, and no NUL',
  [SEARCHED]: 'must have a character other than spaces, and no NUL',
  [CURSOR]: 'must be a next_cursor of this list, unchanged',
  [EVENT_ID]: 'must be the id of an event, such as evt_0196f0c21f5e7c7a9a610c6f2f1d8e01',
  [SUBJECT_HASH]: 'must be the subject of an erasure or of a preview: 64 hexadecimal digits',
  [VISIBLE_ASCII]: 'must have visible ASCII characters only',
  [MEDIA_TYPE]: 'must be a media type such as application/pdf',
  [MEDIA_SID]: 'must be the id of a media connection, such as PA_mT5x2Jwq',
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

type MessageTexts = readonly [DetailCode, (fault: Fault) => string]

const schemaOf = ({ parentSchema = {} }: Fault): Bounds => parentSchema

function characters(fault: Fault): string {
  const { minLength, maxLength } = schemaOf(fault)
  return `must have ${rangeOf(minLength, maxLength)} characters`
}

function items(fault: Fault): string {
  const { minItems, maxItems } = schemaOf(fault)
  return `must have ${rangeOf(minItems, maxItems)} items`
}

function members(fault: Fault): string {
  const { minProperties, maxProperties } = schemaOf(fault)
  return `must have ${rangeOf(minProperties, maxProperties)} members`
}

const bounds = (fault: Fault) => `must be ${boundsOf(schemaOf(fault))}`

const BY_KEYWORD: Readonly<Record<string, MessageTexts>> = {
  enum: ['INVALID_ENUM', ({ params }) => oneOf(params.allowedValues ?? [])],
  const: ['INVALID_ENUM', ({ params }) => `must be: ${String(params.allowedValue)}`],
  'false schema': ['NOT_ALLOWED', () => 'is not allowed here'],
  format: [
    'INVALID_FORMAT',
    ({ params }) => FORMATS[params.format ?? ''] ?? `must be ${params.format}`,
  ],
  pattern: [
    'INVALID_FORMAT',
    ({ params }) => PATTERNS[params.pattern ?? ''] ?? `must match ${params.pattern}`,
  ],
  minLength: ['TOO_SHORT', characters],
  maxLength: ['TOO_LONG', characters],
  uniqueItems: ['DUPLICATE', () => 'must not have the same item twice'],
  minItems: ['TOO_SHORT', items],
  maxItems: ['TOO_LONG', items],
  maxProperties: ['TOO_LONG', members],
  minProperties: ['TOO_SHORT', members],
  minimum: ['OUT_OF_RANGE', bounds],
  maximum: ['OUT_OF_RANGE', bounds],
}

/** The code of a fault, and what is allowed. */
export function wordingOf(fault: Fault): { code: DetailCode; message: string } {
  const known = BY_KEYWORD[fault.keyword]
  if (known !== undefined) return { code: known[0], message: known[1](fault) }
  const types = [fault.params.type ?? []].flat()
  const names = types.map((type) => TYPES[type] ?? type).join(' or ')
  const { minimum, maximum } = schemaOf(fault)
  const isBounded = minimum !== undefined && maximum !== undefined && types.length === 1
  const range = isBounded ? ` ${boundsOf({ minimum, maximum })}` : ''
  return { code: 'INVALID_TYPE', message: `must be ${names || 'valid'}${range}` }
}

/** The message for a member that does not exist. */
export function unknownMessage(fault: Fault): string {
  const names = Object.keys(schemaOf(fault).properties ?? {})
  return `is not known here${names.length === 0 ? '' : `; ${oneOf(names)}`}`
}

export function oneOf(allowed: readonly unknown[]): string {
  return `must be one of: ${allowed.join(', ')}`
}

function rangeOf(min = 0, max = Infinity): string {
  if (max === Infinity) return `at least ${min}`
  return min === 0 ? `at most ${max}` : `${min} to ${max}`
}

function boundsOf({ minimum, maximum }: Bounds): string {
  if (minimum === undefined) return `at most ${maximum}`
  return maximum === undefined ? `at least ${minimum}` : `from ${minimum} to ${maximum}`
}
