import { createHash } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyReply } from 'fastify'
import { ServiceError } from '../../platform/lib/service-error.ts'
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
  /** The origin that the page uploads files to and downloads them from. */
  storageOrigin: string
  /** Origins whose pages may frame this one. */
  framedBy: readonly string[]
  /** WebAssembly may be compiled: the room page takes noise out of microphones and blurs backgrounds by it. */
  hasWasm: boolean
  /** Hashes of the page's inline scripts, in the form that the policy takes. */
  scriptHashes: readonly string[]
}

function contentSecurityPolicy(places: Places): string {
  const { mediaUrl, storageOrigin, framedBy, hasWasm, scriptHashes } = places
  const media = new URL(mediaUrl).origin
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes, ...(hasWasm ? ["'wasm-unsafe-eval'"] : [])].join(' '),
    "style-src 'self'",
    `img-src 'self' blob: data: ${storageOrigin}`,
    `media-src 'self' blob: ${storageOrigin}`,
    `connect-src 'self' ${media} ${media.replace(/^ws/, 'http')} ${storageOrigin}`,
    "worker-src 'self' blob:",
    "font-src 'self'",
    `frame-ancestors ${framedBy.length === 0 ? "'none'" : framedBy.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    ...MARKUP_POLICY,
  ].join('; ')
}

/** Text never becomes markup or a script (`web/src/start/trusted-types.ts`). */
const MARKUP_POLICY = ["require-trusted-types-for 'script'", 'trusted-types default']

/** Content security policy of a page that holds an API key: it may connect to nothing but the service. */
function ownPolicy(scriptHashes: readonly string[]): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes].join(' '),
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    ...MARKUP_POLICY,
  ].join('; ')
}

/** `'sha256-…'` of each inline script of the page. */
function scriptHashesOf(page: string): string[] {
  return [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
}

/** Throws if a page that links lead to is missing. */
export async function checkPages({ config }: Pick<Deps, 'config'>): Promise<void> {
  const files = ['room.html', 'test.html', 'board.html', 'review.html', 'console.html']
  await Promise.all(files.map((file) => access(path.join(config.pagesDir, file))))
}

const NOWHERE = '00000000-0000-0000-0000-000000000000'

/**
 * The origin of the addresses that the storage signs: for S3 it depends on more than its settings. Without keys to sign with there
 * are no files, but the room still works.
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
  /** The places that the page may load from and call: only `the service`, or also media and files, which is the default. */
  reaches?: 'the service' | 'media and files'
  /** Content by the name of its place in the file: `<!-- name -->`. */
  fill?: Readonly<Record<string, string>>
  /** Clients may keep it if they ask each time whether it is current. */
  isKept?: boolean
}

async function policyWithMedia(
  deps: Pick<Deps, 'config' | 'storage'>,
  given: Pick<Places, 'framedBy' | 'hasWasm' | 'scriptHashes'>,
): Promise<string> {
  const mediaUrl = deps.config.livekit.publicUrl
  return contentSecurityPolicy({ mediaUrl, storageOrigin: await originOf(deps), ...given })
}

/** Throws 404 NOT_FOUND where it is missing: readiness says that, too. */
async function readPage(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new ServiceError('NOT_FOUND') : error
  })
}

/** Answers with a built page, under the pages' security headers. */
export async function sendPage(
  reply: FastifyReply,
  deps: Pick<Deps, 'config' | 'storage'>,
  { file, framedBy = [], reaches = 'media and files', fill = {}, isKept = false }: Page,
): Promise<FastifyReply> {
  const empty = await readPage(path.join(deps.config.pagesDir, file))
  // Only the scripts of the build are allowed, whatever the content is.
  const scriptHashes = scriptHashesOf(empty)
  const page = empty.replaceAll(/<!-- (\w+) -->/g, (place, name: string) => fill[name] ?? place)
  const hasWasm = file === 'room.html'
  const policy =
    reaches === 'the service'
      ? ownPolicy(scriptHashes)
      : await policyWithMedia(deps, { framedBy, hasWasm, scriptHashes })
  return reply
    .header('content-security-policy', policy)
    .header('permissions-policy', PERMISSIONS_POLICY)
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cache-control', isKept ? 'no-cache' : 'no-store')
    .type('text/html; charset=utf-8')
    .send(page)
}
