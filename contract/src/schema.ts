import { type Static, type TSchema, Type } from 'typebox'

/** The same schema with more annotations; what marks it for TypeBox stays. */
function annotated<T extends TSchema>(schema: T, annotations: object): T {
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(schema),
      ...Object.getOwnPropertyDescriptors(annotations),
    },
  ) as T
}

/**
 * Names a schema. The API description has one component for each name, and generators make a type
 * of it. Two different schemas must not share a name. What a request makes is `<Thing>Request`, such
 * as `RoomRequest` of the answer `Room`: `New<Thing>` is a constructor in generated Go.
 */
export function named<T extends TSchema>(title: string, schema: T): T {
  return annotated(schema, { title })
}

/**
 * Says what a schema means at one place. A named schema keeps its own description and becomes a
 * reference with this one beside it. `default` is for the reader: validation adds nothing.
 */
export function about<T extends TSchema>(
  schema: T,
  description: string,
  {
    default: value,
    ...others
  }: { default?: unknown; deprecated?: boolean; examples?: unknown[] } = {},
): T {
  const notes = { description, ...(value !== undefined && { [DEFAULT]: value }), ...others }
  return 'title' in schema
    ? (Type.Unsafe<Static<T>>({ allOf: [schema], ...notes }) as TSchema as T)
    : annotated(schema, notes)
}

/** What the API description shows as `default`. The validator would fill in a real `default`. */
export const DEFAULT = 'x-default'

/** A string of one of the given words. A plain `enum` reads better in the OpenAPI file than `anyOf`. */
export function oneOf<const T extends readonly string[]>(words: T) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words] })
}

/** A named list of words, with what each of them means. */
export function wordsOf<const T extends readonly string[]>(
  name: string,
  words: T,
  { about: what, ...meanings }: { about: string } & { [W in T[number]]: string },
) {
  const lines = words.map((word) => `- \`${word}\`: ${(meanings as Record<string, string>)[word]}`)
  return annotated(oneOf(words), { title: name, description: [what, '', ...lines].join('\n') })
}

export function nullable<T extends TSchema>(schema: T, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
}
