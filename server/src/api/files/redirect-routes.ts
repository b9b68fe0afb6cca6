import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Storage } from '../../platform/ports/storage.ts'
import { type FileAddresses, shownBy } from '../../platform/storage/file-addresses.ts'

/** Validity of the storage's own address after a redirect: enough for a long film, and to seek in it. */
const BEHIND_SEC = 6 * 60 * 60

interface FileRoute {
  Params: { tenant: string; kind: string; name: string }
  Querystring: Record<string, unknown>
}

/** The target of a long address: the storage's own address of the object, signed at each use. */
export function redirectRoutes(
  storage: Pick<Storage, 'signGet'>,
  addresses: Pick<FileAddresses, 'grantOf'>,
) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<FileRoute>('/files/:tenant/:kind/:name', async ({ params, query }, reply) => {
      const key = `${params.tenant}/${params.kind}/${params.name}`
      const grant = addresses.grantOf('GET', key, query)
      if (grant === undefined) throw new ServiceError('NOT_FOUND')
      const { url } = await storage.signGet(key, { ...shownBy(grant), expiresInSec: BEHIND_SEC })
      return reply.redirect(url, 302)
    })
  }
}
