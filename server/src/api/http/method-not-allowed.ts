import createRouter from 'find-my-way'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { App } from './app-types.ts'

// The order in which `Allow` names them.
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

interface Address {
  url: string
  methods: Set<string>
}

/**
 * Refuses other methods of known addresses with 405 and `Allow`, before the body is read. Call it
 * before the first route.
 *
 * One router for addresses without methods, because a route per refused method makes up most of an app's
 * registration time.
 */
export function refuseOtherMethods(app: App, { maxParamLength }: { maxParamLength: number }): void {
  const router = createRouter({ maxParamLength })
  const addresses = new Map<string, Address>()
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return
    const address = addresses.get(url) ?? { url, methods: new Set() }
    if (!addresses.has(url)) router.on('GET', url, () => {}, address)
    addresses.set(url, address)
    for (const one of [method].flat()) address.methods.add(one)
  })

  app.decorateRequest('refusedUrl', null)
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done()
    const found = router.find('GET', request.url)
    const address: Address | undefined = found?.store
    // With an empty id, as in `/rooms/`, it is the address of nothing.
    const isEmpty = Object.values(found?.params ?? {}).includes('')
    if (address === undefined || isEmpty) return done()
    request.refusedUrl = address.url
    const allow = METHODS.filter((method) => address.methods.has(method)).join(', ')
    throw new ServiceError('METHOD_NOT_ALLOWED', { headers: { allow } })
  })
}
