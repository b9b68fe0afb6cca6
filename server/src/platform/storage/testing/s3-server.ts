import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { S3Config } from '../../config/storage-config.ts'
import { refusalOfSignature, TEST_KEYS, TEST_REGION, WRONG_REGION } from './s3-signature.ts'

interface S3Object {
  body: Buffer
  type: string
  etag: string
  storedAt: Date
}

/** A server of the S3 API in memory, for tests: the operations we use, as they are documented. */
export interface TestS3 {
  config: S3Config
  objects: Map<string, S3Object>
  /** Parts of uploads that are neither completed nor aborted. */
  uploads: Map<string, Map<number, Buffer>>
  /** Answers in place of the server: with a status and a code, or never. */
  fault: ((request: IncomingMessage) => Fault | undefined) | undefined
  /** The errors that DeleteObjects reports for single keys. */
  answerToDelete: string
  /** The origin that the bucket's CORS rule lets in; without it there is no rule. */
  corsOrigin: string | undefined
  close(): Promise<void>
}

type Fault = 'silence' | { status: number; code: string }

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  key: string
  query: URLSearchParams
  body: Buffer
}

const BUCKET = 'tests'
const LIST_PAGE = 2

export async function startTestS3(): Promise<TestS3> {
  const server = createServer((request, response) => {
    answer(s3, request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  const s3: TestS3 = {
    config: { ...TEST_KEYS, ...PLACE, endpoint: undefined, publicEndpoint: undefined },
    objects: new Map(),
    uploads: new Map(),
    fault: undefined,
    answerToDelete: '',
    corsOrigin: undefined,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  s3.config.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return s3
}

const PLACE = {
  region: TEST_REGION,
  bucket: BUCKET,
  forcePathStyle: true,
  egress: { endpoint: undefined, keys: undefined },
}

async function answer(
  s3: TestS3,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const fault = s3.fault?.(request)
  if (fault === 'silence') return
  const body = await buffer(request)
  if (fault !== undefined) return refuse(response, fault.status, fault.code)

  if (request.method === 'OPTIONS') return preflight(s3, response)
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3.test')
  const [, bucket, ...rest] = decodeURIComponent(pathname).split('/')
  const refusal = await refusalOfSignature(request, body)
  if (refusal !== undefined) {
    return refuse(response, refusal === WRONG_REGION ? 400 : 403, refusal)
  }
  if (bucket !== BUCKET) return refuse(response, 404, 'NoSuchBucket')
  const exchange = { request, response, body, query: searchParams, key: rest.join('/') }
  const operation = OPERATIONS[request.method ?? '']
  return operation === undefined
    ? refuse(response, 405, 'MethodNotAllowed')
    : operation(s3, exchange)
}

function preflight({ corsOrigin }: TestS3, response: ServerResponse): void {
  if (corsOrigin === undefined) return refuse(response, 403, 'AccessForbidden')
  response.writeHead(200, {
    'access-control-allow-origin': corsOrigin,
    'access-control-allow-methods': 'GET, PUT',
    'access-control-allow-headers': 'content-type',
  })
  response.end()
}

const OPERATIONS: Record<string, (s3: TestS3, exchange: Exchange) => void> = {
  HEAD: get,
  GET: get,
  PUT: put,
  POST: post,
  DELETE(s3, { response, query }) {
    s3.uploads.delete(query.get('uploadId') ?? '')
    response.writeHead(204).end()
  },
}

function get(s3: TestS3, { request, response, key, query }: Exchange): void {
  if (key === '') return list(s3, response, query)
  const object = s3.objects.get(key)
  if (object === undefined) return refuse(response, 404, 'NoSuchKey')
  const { body, etag, type } = object
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
  // Serves one range. For several, the real S3 answers with the whole object, too.
  const given = /^bytes=(\d*)-(\d*)$/.exec(fromStart(request.headers.range ?? '', body.length))
  const first = Number(given?.[1] ?? 0)
  const end = Math.min(Number(given?.[2] || body.length - 1) + 1, body.length)
  if (first > 0 && first >= body.length) return refuse(response, 416, 'InvalidRange')
  response.writeHead(given === null ? 200 : 206, {
    etag,
    'accept-ranges': 'bytes',
    'content-length': end - first,
    'content-type': query.get('response-content-type') ?? type,
    ...(given && { 'content-range': `bytes ${first}-${end - 1}/${body.length}` }),
    ...(query.has('response-content-disposition') && {
      'content-disposition': query.get('response-content-disposition') ?? '',
    }),
  })
  response.end(request.method === 'HEAD' ? undefined : body.subarray(first, end))
}

/** `bytes=-3` as `bytes=7-`. */
function fromStart(range: string, size: number): string {
  return range.replace(
    /^bytes=-(\d+)$/,
    (_range, last) => `bytes=${Math.max(0, size - Number(last))}-`,
  )
}

/** Keys in order, two per page, so that the caller must continue. */
function list(s3: TestS3, response: ServerResponse, query: URLSearchParams): void {
  const after = query.get('start-after') ?? ''
  const prefix = query.get('prefix') ?? ''
  const keys = [...s3.objects.keys()]
    .toSorted()
    .filter((key) => key > after && key.startsWith(prefix))
  const contents = keys.slice(0, LIST_PAGE).map((key) => {
    const object = s3.objects.get(key)
    const size = `<Size>${object?.body.length ?? 0}</Size>`
    const time = `<LastModified>${object?.storedAt.toISOString() ?? ''}</LastModified>`
    return `<Contents><Key>${key}</Key>${time}${size}</Contents>`
  })
  const isTruncated = `<IsTruncated>${keys.length > LIST_PAGE}</IsTruncated>`
  response.end(`<ListBucketResult>${isTruncated}${contents.join('')}</ListBucketResult>`)
}

function put(s3: TestS3, { request, response, key, query, body }: Exchange): void {
  const { headers } = request
  const part = s3.uploads.get(query.get('uploadId') ?? '')
  if (part !== undefined) {
    part.set(Number(query.get('partNumber')), body)
    return void response.writeHead(200, { etag: etagOf(body) }).end()
  }
  if (query.has('uploadId')) return refuse(response, 404, 'NoSuchUpload')
  const source = headers['x-amz-copy-source']
  if (source === undefined) {
    const type = headers['content-type'] ?? ''
    const object = { body, type, etag: etagOf(body), storedAt: new Date() }
    s3.objects.set(key, object)
    return void response.writeHead(200, { etag: object.etag }).end()
  }
  const object = s3.objects.get(String(source).replace(`${BUCKET}/`, ''))
  if (object === undefined) return refuse(response, 404, 'NoSuchKey')
  const wanted = headers['x-amz-copy-source-if-match']
  if (wanted !== undefined && wanted !== object.etag) {
    return refuse(response, 412, 'PreconditionFailed')
  }
  s3.objects.set(key, object)
  response.end(`<CopyObjectResult><ETag>${object.etag}</ETag></CopyObjectResult>`)
}

function post(s3: TestS3, { request, response, key, query, body }: Exchange): void {
  if (query.has('delete')) {
    // The only checksum that every server of the API takes here; some know no other.
    if (request.headers['content-md5'] !== md5Of(body, 'base64')) {
      return refuse(response, 400, 'MissingContentMD5')
    }
    const keys = [...body.toString().matchAll(/<Key>(.*?)<\/Key>/g)].map((match) => match[1] ?? '')
    if (keys.length > 1000) return refuse(response, 400, 'MalformedXML')
    for (const each of keys) s3.objects.delete(each)
    return void response.end(`<DeleteResult>${s3.answerToDelete}</DeleteResult>`)
  }
  if (query.has('uploads')) {
    const id = randomUUID()
    s3.uploads.set(id, new Map())
    const result = `<Key>${key}</Key><UploadId>${id}</UploadId>`
    const root = 'InitiateMultipartUploadResult'
    return void response.end(`<${root}>${result}</${root}>`)
  }
  const id = query.get('uploadId') ?? ''
  const parts = s3.uploads.get(id)
  if (parts === undefined) return refuse(response, 404, 'NoSuchUpload')
  const whole = Buffer.concat([...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part))
  const etag = etagOf(whole).replace(/"$/, `-${parts.size}"`)
  const type = request.headers['content-type'] ?? ''
  s3.objects.set(key, { body: whole, type, etag, storedAt: new Date() })
  s3.uploads.delete(id)
  const root = 'CompleteMultipartUploadResult'
  response.end(`<${root}><ETag>${etag}</ETag></${root}>`)
}

function etagOf(body: Buffer): string {
  return `"${md5Of(body, 'hex')}"`
}

function md5Of(body: Buffer, encoding: 'hex' | 'base64'): string {
  return createHash('md5').update(body).digest(encoding)
}

/** The real S3 repeats keys and the signed text, which must not reach our logs. */
function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(
    `<Error><Code>${code}</Code><Message>said-by-the-server</Message>` +
      `<AWSAccessKeyId>${TEST_KEYS.accessKeyId}</AWSAccessKeyId></Error>`,
  )
}

/** The settings of a service on this bucket. */
export function s3Settings({ config }: TestS3): Record<string, string> {
  return {
    S3_BUCKET: config.bucket,
    S3_ENDPOINT: config.endpoint ?? '',
    S3_REGION: config.region,
    S3_FORCE_PATH_STYLE: 'true',
    S3_ACCESS_KEY_ID: config.accessKeyId ?? '',
    S3_SECRET_ACCESS_KEY: config.secretAccessKey ?? '',
  }
}
