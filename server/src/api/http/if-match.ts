import type { FastifyRequest } from 'fastify'
import { refuseField } from '../../platform/lib/service-error.ts'

/** The ETags in If-Match. A proxy that compresses answers makes them weak. Throws 400 INVALID_REQUEST without the header. */
export function wantedTags({ headers }: Pick<FastifyRequest, 'headers'>): string[] {
  const wanted = headers['if-match']
  if (wanted !== undefined) return wanted.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  throw refuseField('INVALID_REQUEST', {
    field: 'If-Match',
    code: 'REQUIRED',
    message: 'is required: the ETag of what you change',
  })
}
