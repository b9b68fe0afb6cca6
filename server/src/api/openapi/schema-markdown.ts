import type { Document } from './document.ts'

/** The members of a JSON Schema that the reference reads. */
interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  items?: unknown
  anyOf?: unknown[]
  oneOf?: unknown[]
  allOf?: unknown[]
  properties?: Record<string, unknown>
  required?: string[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
}

const asSchema = (schema: unknown) => (schema ?? {}) as Schema
const nameOf = ({ $ref = '' }: Schema) => $ref.slice($ref.lastIndexOf('/') + 1)

function named(document: Document, schema: Schema): Schema {
  return asSchema(document.components['schemas']?.[nameOf(schema)])
}

/** The schema inside of the envelope `{success, data}`, or the schema itself. */
export function usedBy(document: Document, schema: unknown): unknown {
  const given = asSchema(schema)
  const found = given.$ref === undefined ? given : named(document, given)
  const { success, data } = found.properties ?? {}
  return success === undefined || data === undefined ? schema : data
}

/** One phrase for the type of a value. Objects with a name link to their section on the same page. */
export function typeOf(document: Document, schema: unknown): string {
  const given = asSchema(schema)
  if (given.$ref !== undefined) {
    const target = named(document, given)
    if (!isObject(target)) return typeOf(document, target)
    return `[${nameOf(given)}](#${nameOf(given).toLowerCase()})`
  }
  const choices = given.anyOf ?? given.oneOf ?? given.allOf
  if (choices !== undefined) return choices.map((each) => typeOf(document, each)).join(' or ')
  if (given.const !== undefined) return `\`${JSON.stringify(given.const)}\``
  const types = [given.type ?? 'any'].flat()
  return types
    .map((type) => (type === 'array' ? `list of ${typeOf(document, given.items)}` : type))
    .map((type) => (type === 'string' && given.format ? `string (${given.format})` : type))
    .join(' or ')
}

/** True for a schema that has a section of its own. */
function isObject({ type, properties, anyOf, oneOf, allOf }: Schema): boolean {
  return properties !== undefined || type === 'object' || Boolean(anyOf ?? oneOf ?? allOf)
}

/** The named objects that these schemas lead to, each once, in the order of their first use. */
export function objectsIn(document: Document, schemas: readonly unknown[]): [string, unknown][] {
  const found = new Map<string, unknown>()
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) return part.forEach(visit)
    if (typeof part !== 'object' || part === null) return
    const schema = part as Schema
    if (schema.$ref === undefined) {
      const { properties = {}, items, anyOf, oneOf, allOf } = schema
      return visit([...Object.values(properties), items, anyOf, oneOf, allOf])
    }
    const target = named(document, schema)
    if (found.has(nameOf(schema)) || !isObject(target)) return
    found.set(nameOf(schema), target)
    visit(target)
  }
  visit(schemas)
  return [...found]
}

/** The description of an object, and a table of its fields or a list of its forms. */
export function schemaText(document: Document, schema: unknown): string {
  const { description = '', properties, anyOf, oneOf, allOf, required = [] } = asSchema(schema)
  const choices = anyOf ?? oneOf ?? allOf
  const forms = choices && choices.map((each) => `- ${typeOf(document, each)}`).join('\n')
  const rows = Object.entries(properties ?? {}).map(([name, property]) => {
    const need = required.includes(name) ? '' : ', optional'
    return `| \`${name}\` | ${typeOf(document, property)}${need} | ${fieldText(document, property)} |`
  })
  const table =
    rows.length > 0 && ['| Field | Type | Description |', '| --- | --- | --- |', ...rows].join('\n')
  return [description, forms, table].filter(Boolean).join('\n\n')
}

function fieldText(document: Document, property: unknown): string {
  const own = asSchema(property)
  const target = own.$ref === undefined ? own : { ...named(document, own), ...own }
  const text = (target.description ?? '').replaceAll(/\s*\n+(?:- )?/g, ' ')
  const values = (target.enum ?? []).map((value) => `\`${String(value)}\``)
  const isListed = values.length === 0 || text.includes(values[0] ?? '')
  const choice = isListed ? [] : [`One of ${values.join(', ')}.`]
  return [text, ...choice, ...boundsOf(target)].join(' ').replaceAll('|', '\\|').trim()
}

function boundsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema
  const isRange = minimum !== undefined && maximum !== undefined
  return [
    ...(isRange ? [`From ${minimum} to ${maximum}.`] : []),
    ...(maxLength === undefined ? [] : [`${minLength ?? 0} to ${maxLength} characters.`]),
    ...(maxItems === undefined ? [] : [`At most ${maxItems}.`]),
    ...(schema.default === undefined ? [] : [`Default: \`${JSON.stringify(schema.default)}\`.`]),
  ]
}
