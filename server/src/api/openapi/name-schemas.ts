import { DEFAULT } from '@interview-room/contract/schema.ts'

type Schema = Record<string, unknown>

export interface SchemaNames {
  /** The part with a reference in place of every named schema. */
  withNames<T>(part: T): T
  /** The named schemas that were found so far, by name. */
  schemas(): Record<string, Schema>
}

const REF = '#/components/schemas/'
/** Keywords whose value is data, not a schema. */
const DATA: readonly string[] = ['example', 'examples', 'const', 'default', 'enum']
/** Members of this one may have any name, even that of a keyword. */
const PROPERTIES = 'properties'

/**
 * Takes named schemas out of a document, which repeats each one at every use because routes use
 * the schemas themselves. Throws where two different schemas share a name.
 */
export function createNaming(): SchemaNames {
  const known = new Map<string, Schema>()

  function visit(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(visit)
    if (!isObject(part)) return part
    const { title, ...others } = part
    if (typeof title !== 'string') return simplified(membersOf(part))
    const schema = simplified(membersOf(others))
    const before = known.get(title)
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(schema)) {
      throw new Error(`two schemas are named ${title}`)
    }
    known.set(title, schema)
    return { $ref: `${REF}${title}` }
  }

  function membersOf(part: Schema): Schema {
    const members = Object.entries(part).map(([key, member]) => [
      key === DEFAULT ? 'default' : key,
      memberOf(key, member),
    ])
    return Object.fromEntries(members)
  }

  function memberOf(key: string, member: unknown): unknown {
    if (DATA.includes(key)) return member
    if (key !== PROPERTIES || !isObject(member)) return visit(member)
    return Object.fromEntries(Object.entries(member).map(([name, part]) => [name, visit(part)]))
  }

  return {
    withNames: <T>(part: T) => visit(plain(part)) as T,
    schemas: () =>
      Object.fromEntries([...known].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  }
}

/** Drops everything that is not JSON: the contract's schemas carry marks of their library. */
function plain(part: unknown): unknown {
  return JSON.parse(JSON.stringify(part))
}

function isObject(part: unknown): part is Schema {
  return typeof part === 'object' && part !== null
}

/** The forms that every code generator understands, instead of equivalent ones. */
function simplified(schema: Schema): Schema {
  const { allOf, anyOf, ...others } = schema
  // For a constant that is not a string, OpenAPI Generator makes an enum of strings, and then refuses `true`.
  if (typeof schema['const'] === 'boolean') return withoutConst(schema)
  if (isList(allOf) && allOf.length === 1 && '$ref' in allOf[0]!) return { ...allOf[0], ...others }
  if (!isList(anyOf) || anyOf.length !== 2) return schema
  const [one, none] = anyOf as [Schema, Schema]
  const isMergeable = typeof one['type'] === 'string' && !('const' in one)
  if (none['type'] !== 'null' || !isMergeable) return schema
  return { ...one, ...others, type: [one['type'], 'null'] }
}

function withoutConst({ const: _constant, ...others }: Schema): Schema {
  return others
}

function isList(part: unknown): part is Schema[] {
  return Array.isArray(part) && part.every(isObject)
}
