import type { TSchema } from 'typebox'
import { toLowerCaseId } from '../../platform/lib/uuid.ts'
import type { App } from './app-types.ts'

/**
 * Writes every id of a request in lower case, as the service does: an id names media rooms, people at the
 * provider and locks, and is compared as text. Some databases and languages print UUIDs in upper case.
 */
export function lowerCaseIds(app: App): void {
  // Ids in the path, before a credential is compared with them.
  app.addHook('onRequest', (request, _reply, done) => {
    const { params } = request.routeOptions.config.operation ?? {}
    if (params !== undefined) withLowerIds(params, request.params)
    done()
  })
  // Ids in the query and the body, after these are validated.
  app.addHook('preHandler', (request, _reply, done) => {
    const { query, body } = request.routeOptions.config.operation ?? {}
    if (query !== undefined) withLowerIds(query, request.query)
    if (body !== undefined) request.body = withLowerIds(body, request.body)
    done()
  })
}

/** The parts of a schema that may contain ids. */
interface Parts {
  format?: string
  properties?: Record<string, TSchema>
  items?: TSchema
  anyOf?: TSchema[]
  allOf?: TSchema[]
}

type LowerIds = (value: unknown) => unknown

const lowerers = new WeakMap<TSchema, LowerIds>()

/** The value with its ids in lower case; objects and lists are changed in place. */
function withLowerIds(schema: TSchema, value: unknown): unknown {
  let lower = lowerers.get(schema)
  if (lower === undefined) {
    lower = lowererOf(schema) ?? ((same) => same)
    lowerers.set(schema, lower)
  }
  return lower(value)
}

/** Undefined where no value of the schema can contain an id. */
function lowererOf(schema: TSchema): LowerIds | undefined {
  const { format, properties = {}, items, anyOf = [], allOf = [] } = schema as Parts
  const steps = [...anyOf, ...allOf].map(lowererOf)
  if (format === 'uuid')
    steps.push((value) => (typeof value === 'string' ? toLowerCaseId(value) : value))
  if (items !== undefined) steps.push(lowererOfItems(items))
  steps.push(lowererOfMembers(properties))
  const needed = steps.filter((step) => step !== undefined)
  if (needed.length === 0) return undefined
  return (value) => needed.reduce((changed, step) => step(changed), value)
}

function lowererOfItems(items: TSchema): LowerIds | undefined {
  const lower = lowererOf(items)
  if (lower === undefined) return undefined
  return (value) => {
    if (!Array.isArray(value)) return value
    for (const [at, item] of value.entries()) value[at] = lower(item)
    return value
  }
}

function lowererOfMembers(properties: Record<string, TSchema>): LowerIds | undefined {
  const members = Object.entries(properties).flatMap(([name, part]) => {
    const lower = lowererOf(part)
    return lower === undefined ? [] : [{ name, lower }]
  })
  if (members.length === 0) return undefined
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const given = value as Record<string, unknown>
    for (const { name, lower } of members) {
      if (given[name] !== undefined) given[name] = lower(given[name])
    }
    return value
  }
}
