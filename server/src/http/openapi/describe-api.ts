import swagger from '@fastify/swagger'
import { OPERATIONS, TAGS } from '@interview-room/contract/operations.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Config } from '../../config.ts'
import type { App } from '../app-types.ts'
import { completeOperation } from './complete-operation.ts'
import { components, SECURITY_SCHEMES, withNames } from './components.ts'
import type { Document, OperationObject } from './document.ts'
import { webhooks } from './webhooks.ts'

const API = '/api/v1'

/**
 * OpenAPI 3.1, made of the schemas that the routes really use and of what the contract tells of each
 * operation. Call before the routes are registered; the answer gives the document once they stand.
 */
export async function describeApi(
  app: App,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): Promise<() => Document> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: INFO,
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    // What has no tag is no part of the API: pages, files, refusals of methods.
    transform: ({ schema, url }) => ({
      schema: schema?.tags === undefined ? { ...schema, hide: true } : schema,
      url,
    }),
  })
  let document: Document | undefined
  return () => (document ??= complete(app.swagger() as unknown as Document, publicUrl))
}

const INFO = {
  title: 'Interview Room Service',
  version: packageJson.version,
  summary: 'Real-time video interview rooms for a tenant.',
  description:
    'The backend of a tenant books rooms, reads what happened in them and is told by signed webhooks. Answers are `{success: true, data}`, refusals `{success: false, error: {code, message, details?}}`. What belongs to another tenant answers like what does not exist.',
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
}

function complete({ openapi, paths }: Document, publicUrl: string): Document {
  return {
    openapi,
    info: INFO,
    servers: [{ url: publicUrl }],
    tags: [
      ...Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      { name: 'Webhooks', description: 'What the service tells the tenant.' },
    ],
    paths: withNames(completePaths(withConstants(paths))),
    webhooks: webhooks(),
    components: components(),
  }
}

/** The framework writes a constant as a list of one; generators of code make more of the constant. */
function withConstants<T>(part: T): T {
  if (Array.isArray(part)) return part.map(withConstants) as T
  if (typeof part !== 'object' || part === null) return part
  const { enum: words, ...others } = part as Record<string, unknown>
  const isConstant = others['type'] === 'boolean' && Array.isArray(words) && words.length === 1
  const members = isConstant ? { ...others, const: words[0] } : part
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, withConstants(member)]),
  ) as T
}

function completePaths(paths: Document['paths']): Document['paths'] {
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, route]) => [method, described(method, path, route)]),
      ),
    ]),
  )
}

function described(method: string, path: string, route: OperationObject): OperationObject {
  const operation = OPERATIONS[`${method.toUpperCase()} ${path.replace(API, '')}`]
  // A test tells which: the service must not fail to start for want of a description.
  return operation === undefined ? route : completeOperation(method, route, operation)
}
