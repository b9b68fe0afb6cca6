import type { FastifyInstance } from 'fastify'
import { createExportLinks } from '../../domain/recording/exports/export-links.ts'
import { exportRecording } from '../../domain/recording/exports/export-recording.ts'
import { exportTranscript } from '../../domain/recording/exports/export-transcript.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { contentDispositionOf } from '../../platform/storage/content-disposition.ts'

/** The files that are made while they are downloaded. An address that has expired is 404, like any other wrong one. */
export async function exportRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const links = createExportLinks(deps)
  app.get<{ Params: { token: string } }>('/exports/:token', async ({ params }, reply) => {
    const grant = await links.grantOf(params.token).catch(() => undefined)
    if (grant === undefined) throw new ServiceError('NOT_FOUND')
    const {
      name: fileName,
      mime,
      body,
    } = await ('format' in grant ? exportTranscript(deps.db, grant) : exportRecording(deps, grant))
    return reply
      .type(mime)
      .header('content-disposition', contentDispositionOf({ fileName, disposition: 'attachment' }))
      .send(body)
  })
}
