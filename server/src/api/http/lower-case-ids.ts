import type { TSchema } from 'typebox'
import { toLowerCaseId } from '../../platform/lib/uuid.ts'
import type { App } from './app-types.ts'

/**
 * Writes every id of a request in lower case, as the service does: an id names media rooms, people at the
 * provider and locks, and is compared as text. Some databases and languages print UUIDs in upper case.
 */
export function lowerCaseIds(app: App): void {
  // Those of the path, before a credential is compared with them.
  app.addHook('onRequest', (request, _reply, done) => {
    const { params } = request.routeOptions.config.operation ?? {}
    if (params !== undefined) withLowerIds(params, request.params)
    done()
  })
  // Those of query and body, when they were validated.
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

/** The value with its ids in lower case; objects and lists are changed in place. */
function withLowerIds(schema: TSchema, value: unknown): unknown {
  const { format, properties = {}, items, anyOf = [], allOf = [] } = schema as Parts
  let changed = value
  for (const part of [...anyOf, ...allOf]) changed = withLowerIds(part, changed)
  if (typeof changed === 'string') {
    return format === 'uuid' ? toLowerCaseId(changed) : changed
  }
  if (Array.isArray(changed)) {
    if (items === undefined) return changed
    for (const [at, item] of changed.entries()) changed[at] = withLowerIds(items, item)
  } else if (typeof changed === 'object' && changed !== null) {
    const members = changed as Record<string, unknown>
    for (const [name, part] of Object.entries(properties)) {
      if (members[name] !== undefined) members[name] = withLowerIds(part, members[name])
    }
  }
  return changed
}
