import type { Operation } from '@interview-room/contract/operations/operation.ts'
import type { FastifyRequest } from 'fastify'

/** Query parameters that proxies, mail programs and caches add to addresses. */
const ADDED_ON_THE_WAY = /^(?:_|utm_\w+|fbclid|gclid)$/

/** The part of a schema that is looked at here. A nullable schema is a union with null. */
interface Schema {
  type?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  anyOf?: readonly Schema[]
}

/**
 * Removes from a request what is not worth a refusal, before it is judged (docs/api.md#strictness): reads ignore
 * parameters that are added on the way; operations that make something safe ignore everything undeclared; and at a
 * creation, null for an optional member means absent.
 */
export function readLeniently(request: FastifyRequest, _reply: unknown, done: () => void): void {
  const { operation } = request.routeOptions.config
  if (operation !== undefined) {
    if (operation.method === 'GET') ignoreAdded(request)
    if (operation.makesSafe === true) ignoreUndeclared(request, operation)
    else if (operation.method === 'POST') request.body = withoutNulls(operation.body, request.body)
  }
  done()
}

function ignoreAdded({ query }: FastifyRequest): void {
  const members = query as Record<string, unknown>
  for (const name of Object.keys(members)) if (ADDED_ON_THE_WAY.test(name)) delete members[name]
}

function ignoreUndeclared(request: FastifyRequest, operation: Operation): void {
  const { query, body } = operation
  request.query = declaredPartOf(query, request.query) ?? {}
  const declared = declaredPartOf(body, request.body)
  // A body that is required stays as it is, so that its refusal says what is wrong with it.
  if (declared === undefined && !ignoresBody(operation)) return
  request.body = withoutNulls(body, declared)
}

/** True where something is made safe and needs no body: one that cannot be read is no reason to refuse. */
export function ignoresBody({ makesSafe, body }: Operation): boolean {
  return makesSafe === true && (body === undefined || mayBeNull(body))
}

/** The declared members of an object; undefined for anything else. */
function declaredPartOf(schema: Schema | undefined, value: unknown): unknown {
  const { properties = {} } = objectSchemaOf(schema) ?? {}
  if (!isObject(value)) return undefined
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => Object.hasOwn(properties, name)),
  )
}

/** Leaves out every member that is null, optional and not nullable. */
function withoutNulls(schema: Schema | undefined, value: unknown): unknown {
  const { properties, required = [] } = objectSchemaOf(schema) ?? {}
  if (properties === undefined || !isObject(value)) return value
  const kept = Object.entries(value).filter(([name, member]) => {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined
    const isAbsent = member === null && declared !== undefined && !mayBeNull(declared)
    return !isAbsent || required.includes(name)
  })
  return Object.fromEntries(
    kept.map(([name, member]) => [name, withoutNulls(properties[name], member)]),
  )
}

function objectSchemaOf(schema: Schema | undefined): Schema | undefined {
  if (schema?.properties !== undefined) return schema
  return schema?.anyOf?.find(({ properties }) => properties !== undefined)
}

function mayBeNull({ type, anyOf }: Schema): boolean {
  return type === 'null' || (anyOf?.some((each) => mayBeNull(each)) ?? false)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
