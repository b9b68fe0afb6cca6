import type { FastifyInstance } from 'fastify'

/** Response headers that a page of another origin may read. */
const EXPOSED = 'accept-ranges, content-disposition, content-length, content-range, etag'
/** How long a browser need not ask again. */
const MAX_AGE_SEC = 3600

/**
 * Lets pages of any origin read and write these files (CORS), as a bucket does that is set up for them. Nobody gets more
 * by that: the address is the permission, and no cookie goes with it.
 */
export function answerOtherOrigins(files: FastifyInstance, address: string): void {
  files.addHook('onRequest', (_request, reply, done) => {
    reply.header('access-control-allow-origin', '*')
    reply.header('access-control-expose-headers', EXPOSED)
    done()
  })
  files.options(address, async (_request, reply) =>
    reply
      .code(204)
      .header('access-control-allow-methods', 'GET, HEAD, PUT')
      .header('access-control-allow-headers', '*')
      .header('access-control-max-age', MAX_AGE_SEC)
      .send(),
  )
}
