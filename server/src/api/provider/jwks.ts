import { getKeys } from '@interview-room/contract/operations/public.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { listServiceKeys, SERVICE_KEY_ALG } from '../../platform/service-keys/service-keys.ts'
import type { App } from '../http/app-types.ts'
import { serve } from '../http/serve.ts'

const CACHE_SEC = 300

/** `GET /.well-known/jwks.json`: public halves only, in the form of RFC 7517, not enveloped. */
export async function jwksRoutes(app: App, { db }: Pick<Deps, 'db'>): Promise<void> {
  serve(app, getKeys, async () => {
    const keys = await listServiceKeys(db)
    return {
      headers: { 'cache-control': `public, max-age=${CACHE_SEC}` },
      data: {
        keys: keys.map(({ kid, publicJwk: { crv, x, y } }) => ({
          kty: 'EC',
          crv,
          x,
          y,
          kid,
          alg: SERVICE_KEY_ALG,
          use: 'sig' as const,
        })),
      },
    }
  })
}
