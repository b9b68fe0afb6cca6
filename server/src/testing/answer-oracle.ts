import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERRORS, type ErrorEnvelope } from '@interview-room/contract/errors.ts'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Document, ResponseObject } from '../api/openapi/document.ts'
import { parseDateTime } from '../platform/lib/date-time.ts'
import { isUuid } from '../platform/lib/uuid.ts'

/** An answer as it leaves the service. */
interface Given {
  method: string
  /** The route as the framework writes it; undefined if there is none. */
  route: string | undefined
  status: number
  headers: Record<string, unknown>
  body: string
}

/** Returns how an answer differs from the published description; undefined if it does not. */
export type Judge = (answer: Given) => string | undefined

const FILE = join(import.meta.dirname, '../../../docs/openapi.json')

/** Reads the published description once; each schema is compiled when it is first needed. */
function createOracle() {
  const document: Document = JSON.parse(readFileSync(FILE, 'utf8'))
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('date-time', (text: string) => parseDateTime(text) !== undefined)
  ajv.addFormat('binary', true)
  ajv.addFormat('int64', true)
  ajv.addSchema({ $id: 'api', ...(closed(document) as object) })
  const compiled = new Map<string, ValidateFunction>()

  function problemOf(pointer: string, value: unknown): string | undefined {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` })
    compiled.set(pointer, validate)
    return validate(value) ? undefined : ajv.errorsText(validate.errors)
  }

  return { document, problemOf }
}

let oracle: ReturnType<typeof createOracle> | undefined
const theOracle = () => (oracle ??= createOracle())

/** Closes every object schema, so that a member without a description is an error. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed)
  if (typeof part !== 'object' || part === null) return part
  const members = Object.fromEntries(
    Object.entries(part)
      .filter(([name]) => name !== 'example' && name !== 'examples')
      .map(([name, value]) => [name, closed(value)]),
  )
  const isObject = members['type'] === 'object' && 'properties' in members
  return isObject ? { additionalProperties: false, ...members } : members
}

export const judgeAnswer: Judge = ({ method, route, status, headers, body }) => {
  const path = route?.replaceAll(/:(\w+)/g, '{$1}') ?? ''
  const { 'content-type': given = '' } = headers as { 'content-type'?: string }
  const [type = ''] = given.split(';')
  const operation = theOracle().document.paths[path]?.[method.toLowerCase()]
  if (operation === undefined)
    return type === 'application/json' ? problemOfError(status, body) : undefined

  const described = operation.responses[String(status)]
  if (described === undefined) return 'the status is not described'
  const missing = requiredHeaders(described).filter((name) => headers[name] === undefined)
  if (missing.length > 0) return `without ${missing.join(', ')}`
  // The framework sends no body with 204, whatever the handler gave it.
  if (status === 204) return described.content && 'a body is described for 204'
  if (described.content === undefined) return body === '' ? undefined : 'a body is not described'
  if (described.content[type] === undefined) return `the media type ${type} is not described`
  if (status >= 400 && type === 'application/json') {
    return problemOfError(status, body, described.description)
  }
  if (!type.includes('json')) return undefined
  const value = JSON.parse(body) as { success?: unknown }
  // The description says only that it is a boolean (`name-schemas.ts`).
  if (status < 400 && 'success' in value && value.success !== true) return 'success is not true'
  const pointer = ['paths', path, method.toLowerCase(), 'responses', status, 'content', type]
  return theOracle().problemOf(`/${pointerOf(pointer)}/schema`, value)
}

/** An event of a stream as it was read. */
export interface GivenEvent {
  name: string
  data: unknown
}

/** Returns how an event of `GET path` differs from the published description. */
export function judgeEvent(path: string, { name, data }: GivenEvent): string | undefined {
  const { paths, components } = theOracle().document
  const { content = {} } = paths[path]?.['get']?.responses['200'] ?? {}
  const schemas = components['schemas'] as Record<string, EventSchema>
  const stream = content['text/event-stream']?.schema as { $ref: string } | undefined
  const { oneOf = [] } = schemas[nameOf(stream)] ?? {}
  const event = oneOf.map(nameOf).find((each) => schemas[each]?.properties?.event.const === name)
  if (event === undefined) return `the event ${name} is not described`
  const pointer = ['components', 'schemas', event, 'properties', 'data', 'contentSchema']
  return theOracle().problemOf(`/${pointerOf(pointer)}`, data)
}

interface EventSchema {
  oneOf?: { $ref: string }[]
  properties?: { event: { const: string } }
}

const nameOf = (reference: { $ref: string } | undefined) => reference?.$ref.split('/').at(-1) ?? ''

const pointerOf = (words: readonly (string | number)[]) =>
  words.map((each) => encodeURIComponent(escape(String(each)))).join('/')

const escape = (word: string) => word.replaceAll('~', '~0').replaceAll('/', '~1')

function requiredHeaders({ headers = {} }: ResponseObject): string[] {
  return Object.entries(headers as Record<string, { required?: boolean }>)
    .filter(([, { required }]) => required === true)
    .map(([name]) => name.toLowerCase())
}

/** The envelope must have the message of its code, which must be among the codes of the operation, if one is known. */
function problemOfError(status: number, body: string, codes?: string): string | undefined {
  if (status < 400) return undefined
  const { success, error, ...others } = JSON.parse(body) as Partial<ErrorEnvelope>
  if (success !== false || error === undefined || Object.keys(others).length > 0)
    return 'no error envelope'
  if (codes !== undefined && !codes.includes(`\`${error.code}\``)) {
    return `${error.code} is not described`
  }
  // The file server has some codes of its own.
  const known = ERRORS[error.code] as { message: string } | undefined
  if (codes !== undefined && known?.message !== error.message) return `says ${error.message}`
  if (error.details === undefined) return undefined
  return theOracle().problemOf('/components/schemas/ErrorDetails', error.details)
}

/** Returns how the body of a webhook differs from the description; undefined if it does not. */
export function judgeWebhook(body: string): string | undefined {
  const envelope = JSON.parse(body) as { type: string }
  const pointer = `/webhooks/${escape(envelope.type)}/post/requestBody/content/application~1json/schema`
  return theOracle().problemOf(pointer, envelope)
}
