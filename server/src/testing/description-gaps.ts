import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Document } from '../api/openapi/document.ts'
import { parseDateTime } from '../platform/lib/date-time.ts'
import { isUuid } from '../platform/lib/uuid.ts'
import { nameCollisions } from './name-collisions.ts'

type Part = Record<string, unknown>

/** Conditions name members without describing them. */
const CONDITIONS: readonly string[] = ['if', 'then', 'else', 'not']
/** Parts that hold data, or are for other readers. */
const NO_SCHEMAS: readonly string[] = ['example', 'examples', 'mapping']

/** Everything that the API description lacks for its readers, each with its place. */
export function gapsOf(document: Document): string[] {
  return [
    ...operationGaps(document),
    ...textGaps(document),
    ...schemaGaps(document),
    ...nameCollisions(document),
    ...caseGaps(document),
    ...referenceGaps(document),
    ...integerGaps(document),
    ...exampleGaps(document),
    ...bodyExampleGaps(document),
  ]
}

function operationGaps({ paths, webhooks }: Document): string[] {
  const all = { ...paths, ...(webhooks as Document['paths']) }
  return Object.entries(all).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      (['summary', 'description'] as const)
        .filter((text) => isBlank(operation[text]))
        .map((text) => `${method} ${path}: no ${text}`),
    ),
  )
}

/** Parameters, headers, credentials and tags. */
function textGaps(document: Document): string[] {
  const { components, tags } = document
  const kinds = ['parameters', 'securitySchemes']
  const shared = kinds.flatMap((kind) =>
    Object.entries(components[kind] ?? {}).map(
      ([name, part]) => [`${kind} ${name}`, part] as const,
    ),
  )
  const own = operationsOf(document).flatMap(([where, { parameters = [] }]) =>
    parameters.flatMap((each) =>
      '$ref' in each ? [] : [[`${where} ${each.name}`, each] as const],
    ),
  )
  const headers = operationsOf(document).flatMap(([where, { responses }]) =>
    Object.entries(responses).flatMap(([status, response]) =>
      Object.entries(response.headers ?? {}).map(
        ([name, header]) => [`${where} ${status} ${name}`, header] as const,
      ),
    ),
  )
  const named = tags.map((tag) => [`tag ${String((tag as Part)['name'])}`, tag] as const)
  return [...shared, ...own, ...headers, ...named]
    .filter(([, part]) => isBlank((part as Part)['description']))
    .map(([where]) => `${where}: no description`)
}

function operationsOf({ paths, webhooks }: Document) {
  return Object.entries({ ...paths, ...(webhooks as Document['paths']) }).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [`${method} ${path}`, operation] as const,
      ),
  )
}

const REFERENCE = ['external_type', 'external_id']

/** An optional external reference is complete or absent: a schema can express that. */
function referenceGaps({ components }: Document): string[] {
  const fitsHalf = ({ properties, required, dependentRequired, if: condition }: Part) => {
    const members = (properties ?? {}) as Record<string, Part>
    const isOptional = REFERENCE.every((name) => {
      const member = members[name]
      const isRefused = String(member?.['$ref']).endsWith('/Immutable')
      return member !== undefined && !isRefused && !((required ?? []) as string[]).includes(name)
    })
    return isOptional && dependentRequired === undefined && condition === undefined
  }
  return Object.entries((components['schemas'] ?? {}) as Record<string, Part>)
    .filter(([, schema]) => fitsHalf(schema))
    .map(([name]) => `${name}: half a reference fits`)
}

const INT32_MAX = 2_147_483_647
const MAY_BE_LONG = /(^|_)(id|size|bytes)$/

/** Integers beyond 32 bits, for which code generators choose a type that is too narrow. */
function integerGaps({ components }: Document): string[] {
  function visit(part: unknown, where: string, name: string): string[] {
    if (Array.isArray(part)) return part.flatMap((each) => visit(each, where, name))
    if (typeof part !== 'object' || part === null) return []
    const { type, format, properties = {}, ...others } = part as Part
    const { minimum, maximum } = others as { minimum?: number; maximum?: number }
    const isBeyond = Math.max(Math.abs(minimum ?? 0), Math.abs(maximum ?? 0)) > INT32_MAX
    const isLong = isBeyond || (maximum === undefined && MAY_BE_LONG.test(name))
    const own =
      [type].flat().includes('integer') && isLong && format !== 'int64'
        ? [`${where}: may exceed 32 bits, without int64`]
        : []
    const members = Object.entries(properties as Part).flatMap(([key, member]) =>
      visit(member, `${where}.${key}`, key),
    )
    const rest = Object.entries(others)
      .filter(([key]) => !NO_SCHEMAS.includes(key))
      .flatMap(([, member]) => visit(member, where, name))
    return [...own, ...members, ...rest]
  }
  return Object.entries((components['schemas'] ?? {}) as Record<string, Part>).flatMap(
    ([name, schema]) => visit(schema, name, name),
  )
}

function schemaGaps(document: Document): string[] {
  const schemas = (document.components['schemas'] ?? {}) as Record<string, Part>
  const undescribed = Object.entries(schemas)
    .filter(([, schema]) => isBlank(schema['description']))
    .map(([name]) => `${name}: no description`)

  const isDescribed = ({ description, $ref }: Part): boolean =>
    !isBlank(description) ||
    !isBlank(schemas[String($ref).split('/').at(-1) ?? '']?.['description'])

  function visit(part: unknown, where: string, isNamed = false): string[] {
    if (Array.isArray(part)) return part.flatMap((each, at) => visit(each, `${where}/${at}`))
    if (typeof part !== 'object' || part === null) return []
    const { properties = {}, ...others } = part as Part & { properties?: Record<string, Part> }
    const own = Object.entries(properties).flatMap(([name, property]) => [
      ...(isDescribed(property) ? [] : [`${where}.${name}: no description`]),
      ...visit(property, `${where}.${name}`),
    ])
    const inline = 'enum' in part && !isNamed ? [`${where}: an enum without a name`] : []
    const rest = Object.entries(others)
      .filter(([key]) => !CONDITIONS.includes(key) && !NO_SCHEMAS.includes(key))
      .flatMap(([key, member]) => visit(member, `${where}/${key}`))
    return [...own, ...inline, ...rest]
  }

  const { components, paths, webhooks } = document
  const { schemas: _named, ...otherComponents } = components
  return [
    ...undescribed,
    ...Object.entries(schemas).flatMap(([name, schema]) => visit(schema, name, true)),
    ...visit({ paths, webhooks, components: otherComponents }, ''),
  ]
}

const SNAKE_CASE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/
/** A standard names these: draft-inadarei-api-health-check. */
const OF_A_STANDARD: readonly string[] = ['Health', 'HealthCheck']

/** Fields and parameters that break the naming convention. */
function caseGaps(document: Document): string[] {
  const { schemas = {}, ...otherComponents } = document.components
  const own = Object.entries(schemas).filter(([name]) => !OF_A_STANDARD.includes(name))
  const { paths, webhooks } = document
  return [
    ...own.flatMap(([name, schema]) => caseGapsIn(schema, name)),
    ...caseGapsIn({ paths, webhooks, components: otherComponents }, ''),
  ]
}

function caseGapsIn(part: unknown, where: string): string[] {
  if (Array.isArray(part)) return part.flatMap((each) => caseGapsIn(each, where))
  if (typeof part !== 'object' || part === null) return []
  const { properties = {}, ...others } = part as Part
  const isParameter = others['in'] === 'query' || others['in'] === 'path'
  const members = Object.entries(properties as Part)
  const names = [...members.map(([name]) => name), ...(isParameter ? [String(others['name'])] : [])]
  const rest = Object.entries(others).filter(([key]) => !NO_SCHEMAS.includes(key))
  return [
    ...names
      .filter((name) => !SNAKE_CASE.test(name))
      .map((name) => `${where}.${name}: not in snake_case`),
    ...members.flatMap(([name, member]) => caseGapsIn(member, `${where}.${name}`)),
    ...rest.flatMap(([key, member]) => caseGapsIn(member, `${where}/${key}`)),
  ]
}

/** Tools that make a request of the schema (Postman) send the example instead of making one up. */
function bodyExampleGaps(document: Document): string[] {
  return operationsOf(document).flatMap(([where, { requestBody }]) =>
    Object.entries(requestBody?.content ?? {})
      .filter(([, { example }]) => example === undefined)
      .map(([type]) => `${where} ${type}: no example`),
  )
}

/** Examples and defaults that do not match their own schema. */
function exampleGaps(document: Document): string[] {
  const ajv = new Ajv2020({ strict: false })
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('date-time', (text: string) => parseDateTime(text) !== undefined)
  ajv.addFormat('binary', true)
  ajv.addFormat('int64', true)
  ajv.addSchema({ $id: 'api', components: document.components })
  // Hundreds of examples share a few schemas.
  const compiled = new Map<string, ValidateFunction>()
  const problemOf = (schema: unknown, value: unknown): string | undefined => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/')
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, validate)
    return validate(value) ? undefined : ajv.errorsText(validate.errors)
  }

  function visit(part: unknown, where: string): string[] {
    if (Array.isArray(part)) return part.flatMap((each, at) => visit(each, `${where}/${at}`))
    if (typeof part !== 'object' || part === null) return []
    const own = givenIn(part as Part, document).flatMap(([schema, value]) => {
      const problem = problemOf(schema, value)
      return problem === undefined ? [] : [`${where}: ${problem}`]
    })
    const rest = Object.entries(part)
      .filter(([key]) => !NO_SCHEMAS.includes(key))
      .flatMap(([key, member]) => visit(member, `${where}/${key}`))
    return [...own, ...rest]
  }

  return visit(document, '')
}

/** The examples and defaults in a part of the document, each with its schema. */
function givenIn(part: Part, document: Document): [schema: unknown, value: unknown][] {
  const { schema, example, examples, default: fallback, ...own } = part
  const shared = (document.components['examples'] ?? {}) as Record<string, Part>
  // A property has a list of examples; a media type has an object.
  const listed: unknown[] = Array.isArray(examples) ? examples : []
  const named = Array.isArray(examples) ? {} : (examples ?? {})
  const values = Object.values(named as Record<string, Part>).map(
    ({ $ref, value }) => value ?? shared[String($ref).split('/').at(-1) ?? '']?.['value'],
  )
  return [
    ...listed.map((value): [unknown, unknown] => [own, value]),
    ...(schema !== undefined && example !== undefined
      ? [[schema, example] as [unknown, unknown]]
      : []),
    ...(schema === undefined ? [] : values.map((value): [unknown, unknown] => [schema, value])),
    ...(fallback === undefined ? [] : [[own, fallback] as [unknown, unknown]]),
  ]
}

function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === ''
}
