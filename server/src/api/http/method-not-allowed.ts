import { METHODS } from 'node:http'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { App } from './app-types.ts'

// In the order in which `Allow` names them; the rest of what Node reads follows.
const COMMON = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const ALL = [...new Set([...COMMON, ...METHODS])].filter((method) => method !== 'CONNECT')

/**
 * Notes every address with its methods; the answer, called when all routes stand, adds the
 * missing methods of each as 405 with `Allow`.
 */
export function watchMethods(app: App): () => void {
  for (const method of ALL) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true })
  }
  const offered = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = offered.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    offered.set(url, methods)
  })

  return () => {
    for (const [url, methods] of offered) {
      if (!url.includes('*')) refuseOthers(app, { url, methods: new Set(methods) })
    }
  }
}

function refuseOthers(app: App, { url, methods }: { url: string; methods: Set<string> }): void {
  const allow = ALL.filter((method) => methods.has(method)).join(', ')
  app.route({
    url,
    method: ALL.filter((method) => !methods.has(method)),
    // Refuses before the body is read, whatever it is.
    onRequest: async () => {
      throw new ServiceError('METHOD_NOT_ALLOWED', { headers: { allow } })
    },
    handler: async () => {},
  })
}
