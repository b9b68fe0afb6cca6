import { JwksBody } from '@interview-room/contract/public.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { SERVICE_KEY_ALG } from './service-keys.ts'
import { listServiceKeys } from './store.ts'

const CACHE_SEC = 300

/** `GET /.well-known/jwks.json`: public halves only, in the form of RFC 7517, not enveloped. */
export async function jwksRoutes(app: App, { db }: Pick<Deps, 'db'>): Promise<void> {
  const schema = {
    // Described once, under the API.
    ...(app.prefix !== '' && { tags: ['Public'] }),
    response: { 200: { content: { 'application/jwk-set+json': { schema: JwksBody } } } },
  }
  app.get('/.well-known/jwks.json', { schema }, async (_request, reply) => {
    const keys = await listServiceKeys(db)
    void reply.header('cache-control', `public, max-age=${CACHE_SEC}`)
    void reply.type('application/jwk-set+json')
    return reply.serializer(JSON.stringify).send({
      keys: keys.map(({ kid, publicJwk: { crv, x, y } }) => ({
        kty: 'EC',
        crv,
        x,
        y,
        kid,
        alg: SERVICE_KEY_ALG,
        use: 'sig' as const,
      })),
    })
  })
}
