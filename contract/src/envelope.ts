import { type TSchema, Type } from 'typebox'
import { DETAIL_CODES, ERRORS, type ErrorCode } from './errors.ts'
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from './limits.ts'

/** A string of one of the given words. A plain `enum` reads better in the OpenAPI file than `anyOf`. */
export function oneOf<const T extends readonly string[]>(words: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options })
}

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

export const Uuid = Type.String({ format: 'uuid', description: 'UUID, opaque.' })
/** RFC 3339 with a zone; published in UTC with milliseconds. */
export const DateTime = Type.String({ format: 'date-time' })

export function success<T extends TSchema>(data: T) {
  return Type.Object({ success: Type.Literal(true), data })
}

/** "List envelope" of the contract. */
export function page<T extends TSchema>(item: T) {
  return success(
    Type.Object({
      items: Type.Array(item),
      next_cursor: nullable(Type.String()),
      has_more: Type.Boolean(),
    }),
  )
}

/** `limit` stays text here: a query is text, and only `1`..`100` in plain digits is accepted. */
export const PageQuery = {
  cursor: Type.Optional(Type.String({ maxLength: 1024 })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_LIMIT_MAX, default: PAGE_LIMIT_DEFAULT }),
  ),
}

export const ErrorBody = Type.Object({
  success: Type.Literal(false),
  error: Type.Object({
    code: oneOf(Object.keys(ERRORS) as ErrorCode[]),
    message: Type.String(),
    details: Type.Optional(
      Type.Array(
        Type.Object({ field: Type.String(), code: oneOf(DETAIL_CODES), message: Type.String() }),
        { maxItems: 50 },
      ),
    ),
  }),
})
