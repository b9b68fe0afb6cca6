import { BODY_MAX } from '@interview-room/contract/operations/operation.ts'
import type { FastifyRequest } from 'fastify'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import { JsonError, parseStrictJson } from '../../platform/lib/strict-json.ts'
import type { App } from './app-types.ts'
import { refuseMediaType } from './errors.ts'
import { ignoresBody } from './lenience.ts'

/** Bodies are strict JSON. Merge patches are accepted only for PATCH. */
export function readBodies(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => parse(request, body),
  )
  app.addContentTypeParser(
    'application/merge-patch+json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (request.method !== 'PATCH') throw new ServiceError('UNSUPPORTED_MEDIA_TYPE')
      return parse(request, body)
    },
  )
  // Without a body there is no content type to judge. An empty one says nothing.
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (headers['content-type'] === '') delete headers['content-type']
    done()
  })
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length > 0 && !isIgnored(request)) throw refuseMediaType(request)
    },
  )
}

/** True where nothing follows from a body that cannot be read. An unknown address is 404, whatever the body. */
function isIgnored({ is404, routeOptions }: FastifyRequest): boolean {
  const { operation } = routeOptions.config
  return is404 || (operation !== undefined && ignoresBody(operation))
}

function parse(request: FastifyRequest, body: Buffer): unknown {
  const { headers, routeOptions } = request
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity') {
    throw refuseField('UNSUPPORTED_MEDIA_TYPE', {
      field: 'Content-Encoding',
      code: 'INVALID_ENUM',
      message: 'must be: identity',
    })
  }
  try {
    const { members } = routeOptions.config.operation?.bodyMax ?? BODY_MAX
    return parseStrictJson(body, members)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    if (isIgnored(request)) return undefined
    const { code, message } = error
    throw refuseField('INVALID_JSON', { field: 'body', code, message }, { cause: error })
  }
}

/** The integers of queries. */
const INTEGERS = ['limit', 'expires_in_seconds', 'revision']
/** As many digits as a number holds exactly. A larger integer is refused as out of range, not as a wrong type. */
const INTEGER = /^-?[0-9]{1,15}$/

/** Converts plain digits to numbers, and refuses characters that no text may contain. */
export function readQuery(request: FastifyRequest, _reply: unknown, done: () => void): void {
  const query = request.query as Record<string, unknown>
  for (const [name, value] of Object.entries(query)) {
    if (hasUnusableText(name) || hasUnusableText(value)) {
      throw refuseField('INVALID_REQUEST', {
        field: 'query',
        code: 'INVALID_FORMAT',
        message: 'must be well-formed text without NUL characters',
      })
    }
  }
  for (const name of INTEGERS) {
    const text = query[name]
    if (typeof text === 'string' && INTEGER.test(text)) query[name] = Number(text)
  }
  done()
}

function hasUnusableText(value: unknown): boolean {
  const texts = Array.isArray(value) ? value : [value]
  return texts.some(
    (text) => typeof text === 'string' && (text.includes('\0') || !text.isWellFormed()),
  )
}
