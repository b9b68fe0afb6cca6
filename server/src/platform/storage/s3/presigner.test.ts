import { randomUUID } from 'node:crypto'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { describe, expect, test } from 'vitest'
import type { S3Config } from '../../config/storage-config.ts'
import { contentDispositionOf } from '../content-disposition.ts'
import { createPresigner } from './presigner.ts'
import { createS3Client, S3_TIMEOUTS } from './s3-client.ts'

const NOW = new Date('2026-06-01T10:00:00.789Z')
const SECOND = new Date('2026-06-01T10:00:00.000Z')
const KEY = `${randomUUID()}/recordings/${randomUUID()}`

const AMAZON: S3Config = {
  endpoint: undefined,
  publicEndpoint: undefined,
  region: 'ap-northeast-1',
  bucket: 'interview-files',
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  forcePathStyle: false,
  egress: { endpoint: undefined, keys: undefined },
}

const PLACES: readonly (readonly [name: string, config: S3Config])[] = [
  ['Amazon, bucket in the host name', AMAZON],
  ['Amazon, bucket in the path', { ...AMAZON, forcePathStyle: true }],
  ['Amazon, a bucket with dots', { ...AMAZON, bucket: 'files.example.com' }],
  ['Amazon in China', { ...AMAZON, region: 'cn-north-1' }],
  ['another server', { ...AMAZON, endpoint: 'https://s3.example.com' }],
  [
    'another server with a port and a path',
    { ...AMAZON, endpoint: 'http://10.0.0.1:9000/storage', forcePathStyle: true },
  ],
  ['an IPv6 address', { ...AMAZON, endpoint: 'http://[::1]:9000', forcePathStyle: true }],
]

const NAMES = [
  'report.pdf',
  'a "final" \\ report (1)!*\'.pdf',
  '履歴書（最終版）.pdf',
  'é~_-. +%20&=#?/;:@,$[]{}|^`<>.txt',
  '🎥\r\n\t\u0000\u007f',
]

function open(config: S3Config) {
  const client = createS3Client(config, S3_TIMEOUTS)
  return { client, presign: createPresigner(client, config, () => NOW) }
}

describe.each(PLACES)('an address for %s', (_name, config) => {
  const { client, presign } = open(config)

  test.each(NAMES)('to read %j is the one that the SDK would sign', async (fileName) => {
    const disposition = contentDispositionOf({ fileName, disposition: 'attachment' })
    const mime = 'text/plain; charset=utf-8'
    const { url, expiresAt } = await presign({
      method: 'GET',
      key: KEY,
      expiresInSec: 900,
      query: { 'response-content-disposition': disposition, 'response-content-type': mime },
    })
    const command = new GetObjectCommand({
      Bucket: config.bucket,
      Key: KEY,
      ResponseContentDisposition: disposition,
      ResponseContentType: mime,
    })
    expect(url).toBe(await getSignedUrl(client, command, { expiresIn: 900, signingDate: SECOND }))
    expect(expiresAt).toEqual(new Date(SECOND.getTime() + 900_000))
  })

  test('to put an object is the one that the SDK would sign', async () => {
    const { url } = await presign({ method: 'PUT', key: KEY, expiresInSec: 3600, query: {} })
    const command = new PutObjectCommand({ Bucket: config.bucket, Key: KEY })
    expect(url).toBe(await getSignedUrl(client, command, { expiresIn: 3600, signingDate: SECOND }))
  })
})

test('an address leads to the public endpoint if there is one', async () => {
  const inside = { ...AMAZON, endpoint: 'http://s3:9000', forcePathStyle: true }
  const { presign } = open({ ...inside, publicEndpoint: 'https://files.example.com' })
  const { client } = open({ ...inside, endpoint: 'https://files.example.com' })
  const { url } = await presign({ method: 'PUT', key: KEY, expiresInSec: 60, query: {} })
  const command = new PutObjectCommand({ Bucket: AMAZON.bucket, Key: KEY })
  expect(url).toBe(await getSignedUrl(client, command, { expiresIn: 60, signingDate: SECOND }))
})

test('an address is signed for seven days at most, and states its expiry', async () => {
  const { presign } = open(AMAZON)
  const { url, expiresAt } = await presign({
    method: 'GET',
    key: KEY,
    expiresInSec: 30 * 86_400,
    query: {},
  })
  expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('604800')
  expect(expiresAt).toEqual(new Date(SECOND.getTime() + 604_800_000))
})

describe('with temporary keys an address', () => {
  const { client } = open(AMAZON)
  const expiration = new Date(SECOND.getTime() + 600_000)
  client.config.credentials = async () => ({
    accessKeyId: 'ASIDEXAMPLE',
    secretAccessKey: 'temporary',
    sessionToken: 'IQoJ+/=token',
    expiration,
  })
  const presign = createPresigner(client, AMAZON, () => NOW)
  const sign = (expiresInSec: number) =>
    presign({ method: 'PUT', key: KEY, expiresInSec, query: {} })

  test('is the one that the SDK would sign', async () => {
    const command = new PutObjectCommand({ Bucket: AMAZON.bucket, Key: KEY })
    const options = { expiresIn: 300, signingDate: SECOND }
    expect((await sign(300)).url).toBe(await getSignedUrl(client, command, options))
  })

  test('ends with them', async () => {
    expect((await sign(300)).expiresAt).toEqual(new Date(SECOND.getTime() + 300_000))
    expect((await sign(3600)).expiresAt).toEqual(expiration)
  })
})
