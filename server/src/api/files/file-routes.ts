import { stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import send from '@fastify/send'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { type Storage, StorageError } from '../../platform/ports/storage.ts'
import { contentDispositionOf } from '../../platform/storage/content-disposition.ts'
import { type FileAddresses, shownBy } from '../../platform/storage/file-addresses.ts'
import { undefinedWhenGone } from '../../platform/storage/file-errors.ts'
import { allowUploadTime } from '../http/upload-time.ts'
import { answerOtherOrigins } from './other-origins.ts'

interface FileRoute {
  Params: { tenant: string; kind: string; name: string }
  Querystring: Record<string, unknown>
}

const FILE_ADDRESS = '/files/:tenant/:kind/:name'

/** Routes of the folder's signed addresses. A holder of one needs nothing else: the address is the permission, as it is with S3. */
export function fileRoutes({
  folder,
  storage,
  addresses,
}: {
  folder: string
  storage: Pick<Storage, 'put'>
  addresses: Pick<FileAddresses, 'grantOf'>
}) {
  return async (app: FastifyInstance): Promise<void> => {
    await app.register(async (files) => {
      // Bodies are streamed by the handler, whatever they are said to be.
      files.removeAllContentTypeParsers()
      files.addContentTypeParser('*', (_request, _body, done) => done(null))
      answerOtherOrigins(files, FILE_ADDRESS)

      files.get<FileRoute>(FILE_ADDRESS, async (request, reply) => {
        const key = keyOf(request)
        const grant = addresses.grantOf('GET', key, request.query)
        if (grant === undefined) throw new ServiceError('NOT_FOUND')
        return sendFile(request, reply, { folder, key, grant })
      })

      files.put<FileRoute>(FILE_ADDRESS, async (request, reply) => {
        const key = keyOf(request)
        const grant = addresses.grantOf('PUT', key, request.query)
        if (grant === undefined) throw new ServiceError('NOT_FOUND')
        const maxBytes = Number(grant['max_bytes'])
        if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
          throw new ServiceError('FILE_TOO_LARGE')
        }
        allowUploadTime(request)
        await takeIn(request, maxBytes, (body) => storage.put(key, body, { mime: ANY_TYPE }))
        return reply.code(200).send()
      })
    })
  }
}

function keyOf({ params }: FastifyRequest<FileRoute>): string {
  return `${params.tenant}/${params.kind}/${params.name}`
}

/** The address for reading names the real one. */
const ANY_TYPE = 'application/octet-stream'

/** Nothing in a file may act on this origin, which is the room page's own. */
const FILE_POLICY = "sandbox; default-src 'none'"

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { folder, key, grant }: { folder: string; key: string; grant: Record<string, string> },
): Promise<FastifyReply> {
  await forgetLongSuffix(request, path.join(folder, key))
  const { statusCode, headers, stream, type } = await send(request.raw, key, {
    root: folder,
    index: false,
    contentType: false,
    cacheControl: false,
  })
  if (type !== 'file') return refuseToSend(reply, statusCode, headers)
  const shown = shownBy(grant)
  return reply
    .code(statusCode)
    .headers({
      ...headers,
      'content-type': shown.mime,
      'content-disposition': contentDispositionOf(shown),
      'content-security-policy': FILE_POLICY,
    })
    .send(stream)
}

/** The last hundred bytes of a file of ten are the whole file; the library would refuse the range. */
async function forgetLongSuffix({ raw }: FastifyRequest, file: string): Promise<void> {
  const [, wanted] = /^bytes=-(\d+)$/.exec(raw.headers.range ?? '') ?? []
  if (wanted === undefined) return
  const found = await stat(file).catch(undefinedWhenGone)
  if (found !== undefined && Number(wanted) > found.size) delete raw.headers.range
}

function refuseToSend(
  reply: FastifyReply,
  status: number,
  headers: Record<string, string>,
): FastifyReply {
  if (status === 412) return refuse(reply, 412)
  if (status === 416) {
    return refuse(reply.header('content-range', headers['Content-Range']), 416)
  }
  if (status >= 500) throw new StorageError('folder storage: the file cannot be read')
  throw new ServiceError('NOT_FOUND')
}

async function takeIn(
  request: FastifyRequest,
  maxBytes: number,
  store: (body: Readable) => Promise<unknown>,
): Promise<void> {
  try {
    await store(boundedBody(request, maxBytes))
  } catch (error) {
    // Reads and drops the rest of the body, or the sender would never read the answer.
    request.raw.resume()
    const hasBroken = request.raw.destroyed && !request.raw.complete
    if (!hasBroken) throw error
    throw new ServiceError('INVALID_REQUEST', { note: 'the upload broke off', cause: error })
  }
}

/** Throws 413 FILE_TOO_LARGE at the first byte too many. */
function boundedBody({ raw }: FastifyRequest, maxBytes: number): Readable {
  async function* chunks(): AsyncGenerator<Buffer> {
    let sizeBytes = 0
    // Destroying the request would take the connection away from under the answer.
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) throw new ServiceError('FILE_TOO_LARGE')
      yield chunk
    }
  }
  return Readable.from(chunks())
}

const REFUSALS = {
  412: { code: 'PRECONDITION_FAILED', message: 'The file is another one by now.' },
  416: { code: 'RANGE_NOT_SATISFIABLE', message: 'The file has no such range.' },
} as const

/** The envelope, with error codes that only files have. */
function refuse(reply: FastifyReply, status: keyof typeof REFUSALS): FastifyReply {
  const error = REFUSALS[status]
  reply.request.errorCode = error.code
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ success: false, error })
}
