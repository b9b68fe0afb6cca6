import { type TSchema, Type } from 'typebox'
import { DETAIL_CODES, type ErrorCode } from './errors.ts'
import {
  EXTERNAL_REF_MAX,
  LANGUAGE_CODE_MAX,
  PAGE_LIMIT_DEFAULT,
  PAGE_LIMIT_MAX,
} from './limits.ts'

/** A string of one of the given words. A plain `enum` reads better in the OpenAPI file than `anyOf`. */
export function oneOf<const T extends readonly string[]>(words: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options })
}

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** NUL is no JSON to us, and so in no text. */
export const WITHOUT_NUL = '^[^\\u0000]*$'

// No control characters: such text is shown to people, in one line.
const PLAIN = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

/** Text of one line; lengths in Unicode characters. */
export function text(maxLength: number, minLength = 1) {
  return Type.String({ minLength, maxLength, pattern: PLAIN })
}

const KEPT = '[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]'

/** Text for people, of any number of lines; lengths in Unicode characters, as it is given. */
export function freeText(maxLength: number, minLength = 1) {
  return Type.String({
    minLength,
    maxLength,
    // Something must be left of what has to be there.
    pattern: minLength > 0 ? `^[^\\u0000]*${KEPT}[^\\u0000]*$` : WITHOUT_NUL,
    description: 'Line breaks and tabs are kept, other control characters are removed.',
  })
}

/** The tenant's id of something of theirs; a number is kept as its decimal digits. */
export const ExternalId = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  minLength: 1,
  maxLength: EXTERNAL_REF_MAX,
  pattern: PLAIN,
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'An integer is stored as its decimal digits.',
})

/** Known, so that it can be refused as what it is; there is nothing that it may be set to. */
export const Immutable = Type.Unknown({ description: 'Immutable: 422 IMMUTABLE_FIELD.' })

export const LanguageCode = Type.String({
  minLength: 1,
  maxLength: LANGUAGE_CODE_MAX,
  description: 'BCP 47, without regard to case; a refusal lists the codes that are allowed.',
})

export const Uuid = Type.String({ format: 'uuid', description: 'UUID, opaque.' })
/** RFC 3339 with a zone; published in UTC with milliseconds. */
export const DateTime = Type.String({ format: 'date-time' })

export function success<T extends TSchema>(data: T) {
  return Type.Object({ success: Type.Literal(true), data })
}

/** `data` of the "List envelope" of the contract. */
export function listOf<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    next_cursor: nullable(Type.String()),
    has_more: Type.Boolean(),
  })
}

/** `limit` stays text here: a query is text, and only `1`..`100` in plain digits is accepted. */
export const PageQuery = {
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, pattern: '^[A-Za-z0-9_-]*$' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_LIMIT_MAX, default: PAGE_LIMIT_DEFAULT }),
  ),
}

export const ErrorDetails = Type.Array(
  Type.Object({ field: Type.String(), code: oneOf(DETAIL_CODES), message: Type.String() }),
  { maxItems: 50 },
)

/** The error envelope, with some of the codes of the error table. */
export function errorBody(codes: readonly ErrorCode[]) {
  return Type.Object({
    success: Type.Literal(false),
    error: Type.Object({
      code: oneOf(codes),
      message: Type.String(),
      details: Type.Optional(ErrorDetails),
    }),
  })
}
