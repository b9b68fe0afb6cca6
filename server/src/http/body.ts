import type { FastifyRequest } from 'fastify'
import { refuseField, ServiceError } from '../lib/service-error.ts'
import type { App } from './app-types.ts'
import { JsonError, parseStrictJson } from './strict-json.ts'

export const BODY_MAX_BYTES = 1024 * 1024

/** Bodies are strict JSON; merge patches are taken where something is patched. */
export function readBodies(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parse(body),
  )
  app.addContentTypeParser(
    'application/merge-patch+json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (request.method !== 'PATCH') throw new ServiceError('UNSUPPORTED_MEDIA_TYPE')
      return parse(body)
    },
  )
}

function parse(body: Buffer): unknown {
  try {
    return parseStrictJson(body)
  } catch (error) {
    if (error instanceof JsonError) throw new ServiceError('INVALID_JSON', { cause: error })
    throw error
  }
}

const LIMIT = /^[0-9]{1,3}$/

/** Makes a number of `limit` where it is one in plain digits, and refuses what no text may hold. */
export async function readQuery(request: FastifyRequest): Promise<void> {
  const query = request.query as Record<string, unknown>
  for (const [name, value] of Object.entries(query)) {
    if (hasUnusableText(name) || hasUnusableText(value)) {
      throw refuseField('INVALID_REQUEST', {
        field: 'query',
        code: 'INVALID_FORMAT',
        message: 'holds text that cannot be used',
      })
    }
  }
  const { limit } = query
  if (typeof limit === 'string' && LIMIT.test(limit)) query['limit'] = Number(limit)
}

function hasUnusableText(value: unknown): boolean {
  const texts = Array.isArray(value) ? value : [value]
  return texts.some(
    (text) => typeof text === 'string' && (text.includes('\0') || !text.isWellFormed()),
  )
}
