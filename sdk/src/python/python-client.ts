import {
  definition,
  docstring,
  pythonName,
  reachable,
  type Schema,
  schemaName,
  type Schemas,
  snakeCase,
  typeOf,
} from './python-types.ts'

interface Parameter {
  $ref?: string
  in?: string
  name?: string
  required?: boolean
  schema?: Schema
}

interface Operation {
  operationId: string
  summary: string
  description?: string
  security: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

export interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Schemas }
}

/** One method of the client. */
interface Call {
  operation: Operation
  method: string
  path: string
  /** The Python type of the answer's `data`. Undefined for a 204. */
  answer: string | undefined
  body: { schema: Schema; isRequired: boolean; mediaType: string } | undefined
}

const BASE = '/api/v1'
const LINE_MAX = 100
const MULTIPART = 'multipart/form-data'

const HEAD = `"""The operations of the API and their types.

Made from docs/openapi.json when the package is built.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict
from urllib.parse import quote

from .transport import Transport

if TYPE_CHECKING:
    from typing_extensions import NotRequired

# Name, content and media type.
File = tuple[str, bytes, str]
`

const CLASS = `class Operations(Transport):
    """A method for each operation that an API key may call."""
`

/** The module \`operations\` of the Python package: types, and a method for each operation of an API key. */
export function pythonClient({ paths, components: { schemas } }: Description): string {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.some((each) => 'apiKeyAuth' in each))
      .map(([method, operation]) => callOf(schemas, { path, method, operation })),
  )
  const used = calls.flatMap(({ answer, body, operation }) => [
    ...(answer === undefined ? [] : [answer]),
    ...(body === undefined || body.mediaType === MULTIPART ? [] : refs(body.schema)),
    ...refs(operation.parameters ?? []),
    ...(body?.mediaType === MULTIPART ? refs(propertiesOf(schemas, body.schema)) : []),
  ])
  const names = [...reachable(schemas, [...used, 'WebhookEvent', 'ErrorCode'])].toSorted(byName)
  const types = names.flatMap((name) => {
    const schema = schemas[name]
    return schema === undefined ? [] : [definition(name, schema)]
  })
  const methods = calls.flatMap((call) => methodsOf(call, schemas))
  return [HEAD, ...types, [CLASS, ...methods].join('\n')].join('\n\n')
}

const byName = (one: string, other: string): number => (one < other ? -1 : 1)

function refs(of: unknown): string[] {
  const found = JSON.stringify(of).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)
  return [...found].flatMap(([, name]) => name ?? [])
}

function propertiesOf(schemas: Schemas, { $ref = '' }: Schema): Record<string, Schema> {
  return schemas[schemaName($ref)]?.properties ?? {}
}

function callOf(
  schemas: Schemas,
  { path, method, operation }: Pick<Call, 'path' | 'method' | 'operation'>,
): Call {
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))
  const envelope = success?.[1].content?.['application/json']?.schema.$ref
  const data = schemas[schemaName(envelope ?? '')]?.properties?.['data']
  const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const isRequired = operation.requestBody?.required ?? false
  return {
    operation,
    method: method.toUpperCase(),
    path: path.replace(BASE, ''),
    answer: data?.$ref === undefined ? undefined : schemaName(data.$ref),
    body:
      mediaType === undefined || content === undefined
        ? undefined
        : { schema: content.schema, isRequired, mediaType },
  }
}

function methodsOf(call: Call, schemas: Schemas): string[] {
  const items = schemas[call.answer ?? '']?.properties?.['items']?.items
  const isList = call.operation.parameters?.some(({ name }) => name === 'cursor') ?? false
  const one = methodOf(call, schemas)
  return isList && items !== undefined ? [one, iteratorOf(call, items)] : [one]
}

interface Arguments {
  /** The path parameters, in the order of the address. */
  path: string[]
  query: Parameter[]
  hasKey: boolean
  needsMatch: boolean
}

function argumentsOf({ operation, path }: Call): Arguments {
  const parameters = operation.parameters ?? []
  return {
    path: [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []),
    query: parameters.filter((each) => each.in === 'query'),
    hasKey: parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')),
    needsMatch: parameters.some(({ $ref }) => $ref?.endsWith('/IfMatch')),
  }
}

function queryArgument({ name = '', required = false, schema = {} }: Parameter): string {
  const type = typeOf(schema)
  return `${pythonName(name)}: ${required ? type : `${type} | None = None`}`
}

function queryText(query: readonly Parameter[]): string {
  const entries = query.map(({ name = '' }) => `"${name}": ${pythonName(name)}`)
  return `query={${entries.join(', ')}}`
}

/** Ids are path segments, so they are escaped. */
const addressOf = ({ path }: Call): string =>
  path.includes('{') ? `f'${path.replaceAll(/\{(\w+)\}/g, '{quote($1, safe="")}')}'` : `"${path}"`

function methodOf(call: Call, schemas: Schemas): string {
  const { operation, method, body, answer } = call
  const { path, query, hasKey, needsMatch } = argumentsOf(call)
  const named = query.map(queryArgument)
  const sent = [`"${method}"`, addressOf(call)]
  const given = path.map((name) => `${name}: str`)
  if (body?.mediaType === MULTIPART) {
    const fields = formFields(schemas, body.schema)
    named.push(...fields.map(({ argument }) => argument))
    sent.push(`form={${fields.map(({ name }) => `"${name}": ${name}`).join(', ')}}`)
  } else if (body !== undefined) {
    const type = typeOf(body.schema)
    given.push(body.isRequired ? `body: ${type}` : `body: ${type} | None = None`)
    sent.push('body')
  }
  if (query.length > 0) sent.push(queryText(query))
  if (hasKey) {
    named.push('idempotency_key: str | None = None')
    sent.push('idempotency_key=idempotency_key', 'takes_key=True')
  }
  if (needsMatch) {
    named.push('if_match: str')
    sent.push('if_match=if_match')
  }
  const all = ['self', ...given, ...(named.length > 0 ? ['*', ...named] : [])]
  const result = answer ?? 'None'
  return written({
    head: `def ${snakeCase(operation.operationId)}`,
    all,
    result,
    doc: operation.summary,
    line:
      answer === undefined
        ? callText('self.call', sent)
        : `${callText(`result: ${answer} = self.call`, sent)}        return result\n`,
  })
}

/** A call on one line if it fits, otherwise with one line per argument. */
function callText(callee: string, sent: readonly string[]): string {
  const line = `        ${callee}(${sent.join(', ')})\n`
  if (line.length <= LINE_MAX + 1) return line
  const lines = sent.map((each) => `            ${broken(each)},\n`)
  return `        ${callee}(\n${lines.join('')}        )\n`
}

/** A dictionary that is too long for one line. */
function broken(argument: string): string {
  const [, name = '', entries] = /^(\w*=?)\{(.*)\}$/.exec(argument) ?? []
  if (entries === undefined || argument.length + 14 <= LINE_MAX) return argument
  const lines = entries.split(', ').map((entry) => `                ${entry},\n`)
  return `${name}{\n${lines.join('')}            }`
}

interface Written {
  head: string
  all: string[]
  result: string
  doc: string
  line: string
}

function written({ head, all, result, doc, line }: Written): string {
  const short = `    ${head}(${all.join(', ')}) -> ${result}:\n`
  const long = `    ${head}(\n${all.map((each) => `        ${each},\n`).join('')}    ) -> ${result}:\n`
  return `${short.length <= LINE_MAX + 1 ? short : long}${docstring(`${doc}.`, '        ')}${line}`
}

/** Every item of a list, page after page: `list_rooms` -> `iter_rooms`. */
function iteratorOf(call: Call, items: Schema): string {
  const { operation } = call
  const { path, query } = argumentsOf(call)
  const filters = query.filter(({ name }) => name !== 'cursor')
  const named = filters.map(queryArgument)
  return written({
    head: `def iter_${snakeCase(operation.operationId).replace(/^(?:list|get)_/, '')}`,
    all: [
      'self',
      ...path.map((name) => `${name}: str`),
      ...(named.length > 0 ? ['*', ...named] : []),
    ],
    result: `Iterator[${typeOf(items)}]`,
    doc: `${operation.summary}: every item, page after page`,
    line: callText('return self.each', [addressOf(call), queryText(filters).replace('query=', '')]),
  })
}

function formFields(schemas: Schemas, schema: Schema): { name: string; argument: string }[] {
  const required = schemas[schemaName(schema.$ref ?? '')]?.required ?? []
  return Object.entries(propertiesOf(schemas, schema))
    .filter(([, field]) => field.not === undefined)
    .map(([name, field]) => {
      const type = field.format === 'binary' ? 'File' : typeOf(field)
      return {
        name,
        argument: `${name}: ${required.includes(name) ? type : `${type} | None = None`}`,
      }
    })
}
