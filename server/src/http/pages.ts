import path from 'node:path'
import '@fastify/static'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../deps.ts'

/** What `npm run build` makes of `web/`. */
export const WEB_DIST = path.resolve(import.meta.dirname, '../../../web/dist')

const PERMISSIONS_POLICY = [
  'camera=(self)',
  'microphone=(self)',
  'display-capture=(self)',
  'accelerometer=()',
  'autoplay=(self)',
  'bluetooth=()',
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

/** @param mediaUrl ws(s) address that browsers connect to; they also ask its http(s) twin. */
function contentSecurityPolicy(mediaUrl: string): string {
  const media = new URL(mediaUrl).origin
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    `connect-src 'self' ${media} ${media.replace(/^ws/, 'http')}`,
    "worker-src 'self' blob:",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** Answers with a built page (`room.html`), under the pages' security headers. */
export function sendPage(
  reply: FastifyReply,
  deps: Pick<Deps, 'config'>,
  file: string,
): FastifyReply {
  return reply
    .header('content-security-policy', contentSecurityPolicy(deps.config.livekit.publicUrl))
    .header('permissions-policy', PERMISSIONS_POLICY)
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cache-control', 'no-store')
    .sendFile(file, WEB_DIST, { cacheControl: false })
}
