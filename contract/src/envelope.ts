import { type TSchema, Type } from 'typebox'
import { DETAIL_CODES, type ErrorCode as Code, ERRORS } from './errors.ts'
import {
  EXTERNAL_REF_MAX,
  LANGUAGE_CODE_MAX,
  PAGE_LIMIT_DEFAULT,
  PAGE_LIMIT_MAX,
} from './limits.ts'
import { about, named, nullable, oneOf } from './schema.ts'

export { about, named, nullable, oneOf }

// Patterns use `\x00`, which every language understands. `\u0000` is an error in PHP and Go.

/** Our JSON refuses NUL, so no text may contain it. */
export const WITHOUT_NUL = '^[^\\x00]*$'

// No control characters, because such text is shown to people on one line.
export const PLAIN = '^[^\\x00-\\x1f\\x7f-\\x9f]*$'

/** Text on one line; lengths in Unicode characters. */
export function text(maxLength: number, minLength = 1) {
  return Type.String({ minLength, maxLength, pattern: PLAIN })
}

const KEPT = '[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]'

/** At least one character must remain after control characters are removed. */
export const KEPT_TEXT = `^[^\\x00]*${KEPT}[^\\x00]*$`

/** Text for people on any number of lines, kept unchanged; lengths in Unicode characters. */
export function freeText(maxLength: number, minLength = 1) {
  return Type.String({
    minLength,
    maxLength,
    pattern: minLength > 0 ? KEPT_TEXT : WITHOUT_NUL,
  })
}

/** Appended to the description of a `freeText`. */
export const KEPT_CHARACTERS =
  'Line breaks and tabs are kept; other control characters are removed.'

/** `external_type` as the tenant sent it. */
export const ExternalType = about(
  text(EXTERNAL_REF_MAX),
  'Kind of your record, such as `Slot` or `User`. Always together with `external_id`.',
)

/** The tenant's own id for a record. A number is stored as its decimal digits. */
export const ExternalId = Type.Unsafe<string | number>({
  title: 'ExternalId',
  type: ['string', 'integer'],
  minLength: 1,
  maxLength: EXTERNAL_REF_MAX,
  pattern: PLAIN,
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  format: 'int64',
  description:
    'Id of your record. Always together with `external_type`. An integer is stored as its decimal digits.',
})

/** `external_id` in queries and forms, where every value is text. */
export const ExternalIdText = about(
  text(EXTERNAL_REF_MAX),
  'Id of your record. Always together with `external_type`.',
)

/** The pair in answers where it may be absent. */
export const NULLABLE_EXTERNAL_REF = {
  external_type: nullable(
    Type.String(),
    'Kind of your record. Null together with `external_id` when there is no reference.',
  ),
  external_id: nullable(
    Type.String(),
    'Id of your record. Null together with `external_type` when there is no reference.',
  ),
}

/** A member that is known only so that it can be refused with its own code. No value is accepted. */
export const Immutable = named(
  'Immutable',
  Type.Unknown({
    description: 'Cannot be changed after creation. Sending it is 422 IMMUTABLE_FIELD.',
  }),
)

export const LanguageCode = named(
  'TranscriptionLanguage',
  Type.String({
    minLength: 1,
    maxLength: LANGUAGE_CODE_MAX,
    description: 'BCP 47 language code. Case does not matter. A 400 lists the allowed codes.',
  }),
)

const Uuid = Type.String({ format: 'uuid', description: 'Opaque UUID.' })
/** RFC 3339 with a zone; published in UTC with milliseconds. */
const DateTime = Type.String({ format: 'date-time', description: 'RFC 3339 date and time.' })
export { DateTime, Uuid }

export function uuid(description: string) {
  return about(Uuid, description)
}

export function dateTime(description: string) {
  return about(DateTime, description)
}

/** Integers that may exceed 32 bits. Code generators use a narrower type for an integer without a format. */
export const LongInteger = Type.Integer({ format: 'int64' })

export function string(description: string) {
  return Type.String({ description })
}

export function boolean(description: string) {
  return Type.Boolean({ description })
}

export function success<T extends TSchema>(data: T) {
  return Type.Object(
    {
      success: Type.Literal(true, { description: 'Always `true` in a success.' }),
      data: 'description' in data || 'title' in data ? data : about(data, 'The result.'),
    },
    { description: 'A success, with the result as `data`.' },
  )
}

/** `data` of the "List envelope" of the contract. */
export function listOf<T extends TSchema>(item: T) {
  return Type.Object(
    {
      items: Type.Array(item, { description: 'This page, in the order of the list.' }),
      next_cursor: nullable(
        Type.String(),
        'Send it as `cursor` to get the next page. Null on the last page.',
      ),
      has_more: boolean('Whether there is a next page.'),
    },
    { description: 'One page of the list.' },
  )
}

/** The pattern of cursors. */
export const CURSOR = '^[A-Za-z0-9_-]*$'

/** Continues a list that goes on growing. Its last page has a cursor, too. */
export const AfterQuery = {
  after: Type.Optional(
    Type.String({
      maxLength: 1024,
      pattern: CURSOR,
      description:
        'The `cursor` of the answer before. To a participant, one of another room starts over.',
    }),
  ),
}

/** Selects everything that starts or happens from `from` until before `to`. */
export const PeriodQuery = {
  from: about(DateTime, 'Start of the period.', { examples: ['2030-11-01T00:00:00.000Z'] }),
  to: about(DateTime, 'End of the period: after `from`, at most 366 days later.', {
    examples: ['2030-12-01T00:00:00.000Z'],
  }),
}

/** `limit` stays text here. A query is text, and only `1`..`100` in plain digits is accepted. */
export const PageQuery = {
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      pattern: CURSOR,
      description:
        'Where the page starts: `next_cursor` of the previous page, unchanged, with the same filters. Omit it for the first page.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_LIMIT_MAX,
      default: PAGE_LIMIT_DEFAULT,
      description: 'How many items the page has at most.',
    }),
  ),
}

const CODES = Object.keys(ERRORS) as Code[]

/** Every code of the error table. The responses of an operation list the ones that it returns. */
export const ErrorCode = named(
  'ErrorCode',
  about(
    oneOf(CODES),
    'What went wrong. Each code has a section on the page `/docs/errors` of the service, such as `/docs/errors#NOT_FOUND`.',
  ),
)

export const ErrorDetailCode = named(
  'ErrorDetailCode',
  about(oneOf(DETAIL_CODES), 'What is wrong with the field. New codes may be added.'),
)

const ErrorDetail = named(
  'ErrorDetail',
  Type.Object(
    {
      field: string('Dotted path of the field, such as `session.ends_at`; `body` for the body.'),
      code: ErrorDetailCode,
      message: string('What is allowed, in English. For people, not for programs.'),
    },
    { description: 'One field that is not accepted.' },
  ),
)

export const ErrorDetails = named(
  'ErrorDetails',
  Type.Array(ErrorDetail, {
    maxItems: 50,
    description: 'The fields that are not accepted, where the code is about fields.',
  }),
)

/** The error envelope. */
export const ErrorResponse = named(
  'ErrorResponse',
  Type.Object(
    {
      success: Type.Literal(false, { description: 'Always `false` in an error.' }),
      error: Type.Object(
        {
          code: ErrorCode,
          message: string('The same text for each code, in English. For people, not for programs.'),
          details: Type.Optional(ErrorDetails),
        },
        { description: 'Why the request was not accepted.' },
      ),
    },
    { description: 'The form of every error.' },
  ),
)
