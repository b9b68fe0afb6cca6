import { randomUUID } from 'node:crypto'
import { IMAGES } from './images.ts'
import type { TenantClient } from './tenant-client.ts'

export interface TestFile {
  fileName?: string
  body: Buffer
  mime?: string
}

/** Parts of a form in the order in which they are sent; a name may come twice. */
export type TestParts = readonly (readonly [name: string, value: string | Buffer | TestFile])[]

const FILM =
  'AAAAIGZ0eXBpc29tAAACAGlzb21pc28yYXZjMW1wNDEAAALwbW9vdgAAAGxtdmhkAAAAAAAAAAAAAAAAAAAD6AAAA+gAAQAAAQAAAAAAAAAAAA' +
  'AAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAAAj90cmFrAAAAXHRraGQA' +
  'AAADAAAAAAAAAAAAAAABAAAAAAAAA+gAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAABAAAAAQAA' +
  'AAAAAkZWR0cwAAABxlbHN0AAAAAAAAAAEAAAPoAAAAAAABAAAAAAG3bWRpYQAAACBtZGhkAAAAAAAAAAAAAAAAAABAAAAAQABVxAAAAAAALWhk' +
  'bHIAAAAAAAAAAHZpZGUAAAAAAAAAAAAAAABWaWRlb0hhbmRsZXIAAAABYm1pbmYAAAAUdm1oZAAAAAEAAAAAAAAAAAAAACRkaW5mAAAAHGRyZW' +
  'YAAAAAAAAAAQAAAAx1cmwgAAAAAQAAASJzdGJsAAAAvnN0c2QAAAAAAAAAAQAAAK5hdmMxAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAABAAEABI' +
  'AAAASAAAAAAAAAABDExhdmMgbGlieDI2NAAAAAAAAAAAAAAAAAAAAAAAAAAAGP//AAAANGF2Y0MBZAAK/+EAF2dkAAqs2V7ARAAAAwAEAAADAA' +
  'g8SJZYAQAGaOvjyyLA/fj4AAAAABBwYXNwAAAAAQAAAAEAAAAUYnRydAAAAAAAAADAAAAAwAAAABhzdHRzAAAAAAAAAAEAAAABAABAAAAAABxz' +
  'dHNjAAAAAAAAAAEAAAABAAAAAQAAAAEAAAAUc3RzegAAAAAAAAAYAAAAAQAAABRzdGNvAAAAAAAAAAEAAAMgAAAAPXVkdGEAAAA1bWV0YQAAAA' +
  'AAAAAhaGRscgAAAAAAAAAAbWRpcmFwcGwAAAAAAAAAAAAAAAAIaWxzdAAAAAhmcmVlAAAAIG1kYXQAAAAUZYiEABX//uzPfgU1dOwvPBXQ6b8='

/** A small picture or film of each kind, followed by more. */
export const SAMPLES = {
  png: sample(IMAGES.png),
  jpg: sample(IMAGES.jpg),
  gif: sample(IMAGES.gif),
  bmp: sample(IMAGES.bmp),
  tiff: sample(IMAGES.tiff),
  mp4: sample(film('isom')),
  mov: sample(film('qt  ')),
} as const

/** One picture of H.264, of 16 by 16 pixels, in a file of this brand. */
function film(brand: string): Buffer {
  const whole = Buffer.from(FILM, 'base64')
  whole.write(brand, 8, 'latin1')
  return whole
}

function sample(start: Buffer): Buffer {
  return Buffer.concat([start, Buffer.alloc(200, 7)])
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
