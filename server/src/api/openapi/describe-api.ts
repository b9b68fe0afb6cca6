import type { Operation } from '@interview-room/contract/operations/operation.ts'
import { TAGS } from '@interview-room/contract/operations/tags.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Config } from '../../platform/config/config.ts'
import type { App } from '../http/app-types.ts'
import { components, schemasOf } from './components.ts'
import { describeOperation } from './describe-operation.ts'
import type { Document } from './document.ts'
import { ERRORS_PAGE } from './errors-page.ts'
import { createNaming } from './name-schemas.ts'
import { webhooks } from './webhooks.ts'

const API = '/api/v1'

/** The bounding keywords of JSON Schema that the contract uses, by type. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  // The only format of a schema of several types is that of a number.
  integer: ['minimum', 'maximum', 'format'],
}

/**
 * OpenAPI 3.1, made of what the contract declares of each operation that has a route. The answer gives
 * the document once all routes stand.
 */
export function describeApi(app: App, { publicUrl }: Pick<Config, 'publicUrl'>): () => Document {
  let document: Document | undefined
  return () => (document ??= withOneTypeEach(documentOf(servedBy(app), publicUrl)))
}

/** Describes an operation once if it is also served at the root, and describes GET without its HEAD. */
function servedBy({ routes }: App): Operation[] {
  return routes.flatMap(({ methods, url, operation }) =>
    operation !== undefined && url.startsWith(API) && methods.includes(operation.method)
      ? [operation]
      : [],
  )
}

function infoOf(publicUrl: string) {
  return {
    title: 'Interview Room Service',
    version: packageJson.version,
    summary: 'Video interview rooms for research companies.',
    description: `Your backend books rooms and reads what happened in them. People enter in a browser, with a token that your backend signs. Signed webhooks notify your backend.

**Requests.** Send JSON in UTF-8 and \`Authorization: ApiKey <key_id>.<secret>\`.

**Responses.** A success is \`{"success": true, "data": ...}\`. An error is \`{"success": false, "error": {"code", "message", "details"?}}\`. [Errors](${publicUrl}${ERRORS_PAGE}) explains every code. Resources of another tenant answer 404, as if they did not exist.

**Times** are RFC 3339. You may send any offset; responses are in UTC. Durations end in \`_sec\`, sizes are in bytes.

**Compatibility.** Within \`/api/v1\`, changes only add. Ignore members, words, events and headers that you do not know.`,
    license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
  }
}

function documentOf(served: readonly Operation[], publicUrl: string): Document {
  const naming = createNaming()
  const paths = naming.withNames(pathsOf(served, publicUrl))
  const hooks = naming.withNames(webhooks())
  const { securitySchemes, ...others } = components()
  return {
    openapi: '3.1.0',
    info: infoOf(publicUrl),
    externalDocs: { description: 'Errors', url: `${publicUrl}${ERRORS_PAGE}` },
    servers: [{ url: publicUrl }],
    tags: [
      ...Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      { name: 'Webhooks', description: 'What the service sends to your endpoint.' },
    ],
    paths,
    webhooks: hooks,
    components: { securitySchemes, schemas: schemasOf(naming), ...others },
  }
}

function pathsOf(served: readonly Operation[], publicUrl: string): Document['paths'] {
  const paths: Document['paths'] = {}
  for (const operation of served) {
    const methods = (paths[API + operation.path] ??= {})
    methods[operation.method.toLowerCase()] = describeOperation(operation, publicUrl)
  }
  return paths
}

/**
 * A schema of several types becomes a choice of schemas of one type each: generators of code know no list of
 * types, other than one with null. A value has one type, so that `oneOf` says the same as `anyOf`, of which
 * OpenAPI Generator makes an empty type in Rust and Kotlin.
 */
function withOneTypeEach<T>(part: T): T {
  if (Array.isArray(part)) return part.map(withOneTypeEach) as T
  if (typeof part !== 'object' || part === null) return part
  const members = Object.fromEntries(
    Object.entries(part).map(([name, member]) => [name, withOneTypeEach(member)]),
  )
  const { type, ...others } = members
  if (!Array.isArray(type) || type.includes('null')) return members as T

  const bounding = Object.values(KEYWORDS).flat()
  const pick = (wanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(others).filter(([name]) => wanted(name)))
  return {
    ...pick((name) => !bounding.includes(name)),
    oneOf: type.map((each: string) => ({
      type: each,
      ...pick((name) => KEYWORDS[each]?.includes(name) ?? false),
    })),
  } as T
}
