import { type Static, type TSchema, Type } from 'typebox'

/** The same schema with more annotations. TypeBox's own markers stay. */
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
 * Names a schema. The API description has one component for each name, and generators make a type of it. Two
 * different schemas must not share a name. The body that creates something is `<Thing>Request`, such as `RoomRequest`
 * for the answer `Room`: `New<Thing>` is a constructor in generated Go.
 */
export function named<T extends TSchema>(title: string, schema: T): T {
  return annotated(schema, { title })
}

/**
 * Describes the meaning of a schema in one place. A named schema keeps its own description and becomes a reference
 * with this one beside it. `default` is only for the reader: validation adds nothing.
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

/** The `default` of the API description. The validator would fill in a real `default`. */
export const DEFAULT = 'x-default'

/** A string out of the given words. A plain `enum` is easier to read in the OpenAPI file than `anyOf`. */
export function oneOf<const T extends readonly string[]>(words: T) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words] })
}

/** A named list of words with the meaning of each. */
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
