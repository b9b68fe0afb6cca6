import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { S3Client } from '@aws-sdk/client-s3'
import { SignatureV4 } from '@smithy/signature-v4'

export const TEST_KEYS = {
  accessKeyId: 'AKIDTESTS',
  secretAccessKey: 'a-secret-that-only-tests-know',
}
export const TEST_REGION = 'eu-test-1'

const signer = new SignatureV4({
  credentials: TEST_KEYS,
  region: TEST_REGION,
  service: 's3',
  sha256: new S3Client({ region: TEST_REGION }).config.sha256,
  uriEscapePath: false,
})

/** The one refusal of S3 that has status 400 instead of 403. */
export const WRONG_REGION = 'AuthorizationHeaderMalformed'

const HASH = 'X-Amz-Content-Sha256'

interface SignedRequest {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
}

/** The refusal code that S3 documents for a wrong signature; undefined if the test's keys signed it. */
export async function refusalOfSignature(
  request: IncomingMessage,
  body: Buffer,
): Promise<string | undefined> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3.test')
  const query = Object.fromEntries(searchParams)
  const signed = { method: request.method ?? '', path: pathname, query, headers: {} }
  return query['X-Amz-Signature'] === undefined
    ? refusalOfHeader(request, signed, body)
    : refusalOfAddress(request, signed)
}

async function refusalOfHeader(
  { headers }: IncomingMessage,
  signed: SignedRequest,
  body: Buffer,
): Promise<string | undefined> {
  const given = headers.authorization ?? ''
  const [id, , region] = /Credential=([^,]+)/.exec(given)?.[1]?.split('/') ?? []
  if (id !== TEST_KEYS.accessKeyId) return 'InvalidAccessKeyId'
  if (region !== TEST_REGION) return WRONG_REGION
  const names = /SignedHeaders=([^,]+)/.exec(given)?.[1] ?? ''
  const right = await signer.sign(
    { protocol: 'http:', hostname: 's3.test', ...signed, headers: pick(headers, names) },
    { signingDate: dateOf(String(headers['x-amz-date'])) },
  )
  if (right.headers['authorization'] !== given) return 'SignatureDoesNotMatch'
  const hash = headers['x-amz-content-sha256']
  const isSame = hash === createHash('sha256').update(body).digest('hex')
  return isSame || hash === 'UNSIGNED-PAYLOAD' ? undefined : 'XAmzContentSHA256Mismatch'
}

async function refusalOfAddress(
  { headers }: IncomingMessage,
  { query: given, ...signed }: SignedRequest,
): Promise<string | undefined> {
  const expiresIn = Number(given['X-Amz-Expires'])
  const signingDate = dateOf(given['X-Amz-Date'] ?? '')
  if (!given['X-Amz-Credential']?.startsWith(`${TEST_KEYS.accessKeyId}/`)) {
    return 'InvalidAccessKeyId'
  }
  if (Number.isNaN(signingDate.getTime() + expiresIn)) return 'AuthorizationQueryParametersError'
  if (signingDate.getTime() + expiresIn * 1000 < Date.now()) return 'AccessDenied'
  const query = Object.fromEntries(
    Object.entries(given).filter(([name]) => !name.startsWith('X-Amz-')),
  )
  const signedHeaders = pick(headers, given['X-Amz-SignedHeaders'] ?? '')
  const right = await signer.presign(
    {
      protocol: 'http:',
      hostname: 's3.test',
      ...signed,
      query,
      headers: { ...signedHeaders, [HASH]: given[HASH] ?? 'UNSIGNED-PAYLOAD' },
    },
    { signingDate, expiresIn },
  )
  const isRight = Object.entries(right.query ?? {}).every(([name, value]) => given[name] === value)
  return isRight ? undefined : 'SignatureDoesNotMatch'
}

function pick(headers: IncomingMessage['headers'], names: string): Record<string, string> {
  return Object.fromEntries(names.split(';').map((name) => [name, String(headers[name])]))
}

/** `20260601T100000Z`. */
function dateOf(compact: string): Date {
  return new Date(compact.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}
