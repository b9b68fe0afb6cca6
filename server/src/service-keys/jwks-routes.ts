import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { SERVICE_KEY_ALG } from './service-keys.ts'
import { listServiceKeys } from './store.ts'

const CACHE_SEC = 300

/** `GET /.well-known/jwks.json`: public halves only, in the form of RFC 7517, not enveloped. */
export async function jwksRoutes(app: App, { db }: Pick<Deps, 'db'>): Promise<void> {
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    const keys = await listServiceKeys(db)
    void reply.header('cache-control', `public, max-age=${CACHE_SEC}`)
    void reply.type('application/jwk-set+json')
    return reply.send(
      JSON.stringify({
        keys: keys.map(({ kid, publicJwk: { kty, crv, x, y } }) => ({
          kty,
          crv,
          x,
          y,
          kid,
          alg: SERVICE_KEY_ALG,
          use: 'sig',
        })),
      }),
    )
  })
}
