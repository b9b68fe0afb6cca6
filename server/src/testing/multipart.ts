import { randomUUID } from 'node:crypto'
import type { TenantClient } from './tenant-client.ts'

export interface TestFile {
  fileName?: string
  body: Buffer
  mime?: string
}

/** Parts of a form in the order in which they are sent; a name may come twice. */
export type TestParts = readonly (readonly [name: string, value: string | Buffer | TestFile])[]

/** The first bytes of a small picture or film of each kind, with something behind them. */
export const SAMPLES = {
  png: sample([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  jpg: sample([0xff, 0xd8, 0xff, 0xe0]),
  gif: sample('GIF89a'),
  bmp: sample([0x42, 0x4d, 0, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0]),
  tiff: sample([0x49, 0x49, 0x2a, 0x00]),
  mp4: sample('\0\0\0\x20ftypisom'),
  mov: sample('\0\0\0\x14ftypqt  '),
} as const

function sample(start: string | readonly number[]): Buffer {
  const head = typeof start === 'string' ? Buffer.from(start, 'latin1') : Buffer.from(start)
  return Buffer.concat([head, Buffer.alloc(200, 7)])
}

export function file(fileName: string, body: Buffer): TestFile {
  return { fileName, body }
}

/** A multipart body as bytes, with the header that belongs to it. */
export function multipartOf(parts: TestParts): { payload: Buffer; contentType: string } {
  const boundary = `----${randomUUID()}`
  const chunks = parts.flatMap(([name, value]) => [
    Buffer.from(`--${boundary}\r\n${headersOf(name, value)}\r\n\r\n`),
    typeof value === 'string' || Buffer.isBuffer(value) ? Buffer.from(value) : value.body,
    Buffer.from('\r\n'),
  ])
  return {
    payload: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}

function headersOf(name: string, value: string | Buffer | TestFile): string {
  const disposition = `Content-Disposition: form-data; name="${name}"`
  if (typeof value === 'string' || Buffer.isBuffer(value)) return disposition
  const fileName = value.fileName === undefined ? '' : `; filename="${value.fileName}"`
  return `${disposition}${fileName}\r\nContent-Type: ${value.mime ?? 'application/octet-stream'}`
}

/** Sends a form as this tenant. */
export function sendForm(
  client: TenantClient,
  target: `${'POST' | 'PATCH'} ${string}`,
  { parts, headers = {} }: { parts: TestParts; headers?: Record<string, string> },
) {
  const [method, path] = target.split(' ') as ['POST' | 'PATCH', string]
  const { payload, contentType } = multipartOf(parts)
  return client.send({
    method,
    url: `/api/v1${path}`,
    payload,
    headers: { 'content-type': contentType, ...headers },
  })
}
