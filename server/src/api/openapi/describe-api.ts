import type { Operation } from '@interview-room/contract/operations/operation.ts'
import { TAGS } from '@interview-room/contract/operations/tags.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Config } from '../../platform/config/config.ts'
import type { App } from '../http/app-types.ts'
import { components, withNames } from './components.ts'
import { describeOperation } from './describe-operation.ts'
import type { Document } from './document.ts'
import { withOneTypeEach } from './one-type.ts'
import { webhooks } from './webhooks.ts'

const API = '/api/v1'

/**
 * OpenAPI 3.1, made of what the contract declares of each operation that has a route. The answer gives
 * the document once all routes stand.
 */
export function describeApi(app: App, { publicUrl }: Pick<Config, 'publicUrl'>): () => Document {
  let document: Document | undefined
  return () => (document ??= withOneTypeEach(documentOf(servedBy(app), publicUrl)))
}

/** What is at the root too is described once, and a GET without the HEAD that comes with it. */
function servedBy({ routes }: App): Operation[] {
  return routes.flatMap(({ methods, url, operation }) =>
    operation !== undefined && url.startsWith(API) && methods.includes(operation.method)
      ? [operation]
      : [],
  )
}

const INFO = {
  title: 'Interview Room Service',
  version: packageJson.version,
  summary: 'Real-time video interview rooms for a tenant.',
  description:
    'The backend of a tenant books rooms, reads what happened in them and is told by signed webhooks. Answers are `{success: true, data}`, refusals `{success: false, error: {code, message, details?}}`. What belongs to another tenant answers like what does not exist.',
  license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
}

function documentOf(served: readonly Operation[], publicUrl: string): Document {
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: publicUrl }],
    tags: [
      ...Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      { name: 'Webhooks', description: 'What the service tells the tenant.' },
    ],
    paths: withNames(pathsOf(served)),
    webhooks: webhooks(),
    components: components(),
  }
}

function pathsOf(served: readonly Operation[]): Document['paths'] {
  const paths: Document['paths'] = {}
  for (const operation of served) {
    const methods = (paths[API + operation.path] ??= {})
    methods[operation.method.toLowerCase()] = describeOperation(operation)
  }
  return paths
}
