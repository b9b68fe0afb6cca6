import { access } from 'node:fs/promises'
import path from 'node:path'
import '@fastify/static'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../../platform/ports/deps.ts'

const PERMISSIONS_POLICY = [
  'camera=(self)',
  'microphone=(self)',
  'display-capture=(self)',
  'accelerometer=()',
  'autoplay=(self)',
  'fullscreen=(self)',
  'geolocation=()',
  'gyroscope=()',
  'hid=()',
  'magnetometer=()',
  'midi=()',
  'payment=()',
  'serial=()',
  'usb=()',
].join(', ')

interface Places {
  /** ws(s) address that browsers connect to; they also ask its http(s) twin. */
  mediaUrl: string
  /** Where files are put and fetched. */
  storageOrigin: string
  /** Origins whose pages may frame this one. */
  framedBy: readonly string[]
  /** WebAssembly may be compiled: the room page takes noise out of microphones and blurs backgrounds by it. */
  hasWasm: boolean
}

function contentSecurityPolicy(places: Places): string {
  const { mediaUrl, storageOrigin, framedBy, hasWasm } = places
  const media = new URL(mediaUrl).origin
  return [
    "default-src 'none'",
    `script-src 'self'${hasWasm ? " 'wasm-unsafe-eval'" : ''}`,
    "style-src 'self'",
    `img-src 'self' blob: data: ${storageOrigin}`,
    `media-src 'self' blob: ${storageOrigin}`,
    `connect-src 'self' ${media} ${media.replace(/^ws/, 'http')} ${storageOrigin}`,
    "worker-src 'self' blob:",
    "font-src 'self'",
    `frame-ancestors ${framedBy.length === 0 ? "'none'" : framedBy.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** Of a page that holds an API key: nothing of it goes anywhere but to the service. */
const OWN_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Whether every page that links lead to is there. Throws where one is missing. */
export async function checkPages({ config }: Pick<Deps, 'config'>): Promise<void> {
  const files = ['room.html', 'test.html', 'board.html', 'console.html']
  await Promise.all(files.map((file) => access(path.join(config.pagesDir, file))))
}

const NOWHERE = '00000000-0000-0000-0000-000000000000'

/**
 * Where the addresses lead that the storage signs: for S3 that depends on more than its settings.
 * Without keys to sign with there are no files, but there is a room.
 */
async function originOf({ storage }: Pick<Deps, 'storage'>): Promise<string> {
  const options = {
    expiresInSec: 1,
    fileName: 'none',
    disposition: 'attachment',
    mime: 'none',
  } as const
  const signed = storage.signGet(`${NOWHERE}/pages/${NOWHERE}`, options)
  return signed.then(
    ({ url }) => new URL(url).origin,
    () => "'self'",
  )
}

interface Page {
  /** `room.html`. */
  file: string
  /** Nobody unless given. */
  framedBy?: readonly string[]
  /** What it may load and call: `the service` alone, or media and files besides unless given. */
  reaches?: 'the service' | 'media and files'
}

async function policyWithMedia(
  deps: Pick<Deps, 'config' | 'storage'>,
  given: Pick<Places, 'framedBy' | 'hasWasm'>,
): Promise<string> {
  const mediaUrl = deps.config.livekit.publicUrl
  return contentSecurityPolicy({ mediaUrl, storageOrigin: await originOf(deps), ...given })
}

/** Answers with a built page, under the pages' security headers. */
export async function sendPage(
  reply: FastifyReply,
  deps: Pick<Deps, 'config' | 'storage'>,
  { file, framedBy = [], reaches = 'media and files' }: Page,
): Promise<FastifyReply> {
  const hasWasm = file === 'room.html'
  const policy =
    reaches === 'the service' ? OWN_POLICY : await policyWithMedia(deps, { framedBy, hasWasm })
  return reply
    .header('content-security-policy', policy)
    .header('permissions-policy', PERMISSIONS_POLICY)
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cache-control', 'no-store')
    .sendFile(file, deps.config.pagesDir, { cacheControl: false })
}
