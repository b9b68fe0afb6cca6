import path from 'node:path'
import fastifyStatic from '@fastify/static'
import { ServiceError } from '../../platform/lib/service-error.ts'
import { isUuid } from '../../platform/lib/uuid.ts'
import { findPageFile } from '../../platform/page-files/page-files.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { type FramedPage, frameAncestorsOf } from '../../platform/tenants/frame-ancestors.ts'
import type { App } from '../http/app-types.ts'
import { sendPage } from './pages.ts'

/** The room page, the page of a connection test, the board, the review page, and the files that all pages load; their names change with their content. */
export async function pageRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'storage' | 'db'>,
): Promise<void> {
  await serveAssets(app, {
    root: path.join(deps.config.pagesDir, 'assets'),
    findKept: (name) => findPageFile(deps.db, name),
  })
  for (const page of [
    '/board',
    '/console',
    '/r/:room_id',
    '/t/:id',
    '/v/:id',
    '/v/rooms/:id',
    '/s/:id',
  ])
    withoutSlash(app, page)
  app.get('/board', async (_request, reply) => sendPage(reply, deps, { file: 'board.html' }))
  app.get('/v/:recording_id', async (_request, reply) =>
    sendPage(reply, deps, { file: 'review.html' }),
  )
  app.get('/s/:share_id', async (_request, reply) => sendPage(reply, deps, { file: 'review.html' }))
  app.get<{ Params: { room_id: string } }>('/v/rooms/:room_id', async ({ params, log }, reply) => {
    const framedBy = await framersOf({ roomId: params.room_id }, log)
    return sendPage(reply, deps, { file: 'review.html', framedBy })
  })
  app.get('/console', async (_request, reply) =>
    sendPage(reply, deps, { file: 'console.html', reaches: 'the service' }),
  )
  app.get<{ Params: { room_id: string } }>('/r/:room_id', async ({ params, log }, reply) => {
    const framedBy = await framersOf({ roomId: params.room_id }, log)
    return sendPage(reply, deps, { file: 'room.html', framedBy })
  })
  app.get<{ Params: { id: string } }>('/t/:id', async ({ params, log }, reply) => {
    const framedBy = await framersOf({ connectionTestId: params.id }, log)
    return sendPage(reply, deps, { file: 'test.html', framedBy })
  })

  /** Sends the page even if the database is away, because the page itself reports that. */
  async function framersOf(page: FramedPage, log: Pick<Deps['log'], 'warn'>): Promise<string[]> {
    if (!Object.values(page).every(isUuid)) return []
    return frameAncestorsOf(deps, page).catch((error: unknown) => {
      log.warn({ err: error }, 'tenant lookup failed: framing denied')
      return []
    })
  }
}

/** Unknown addresses: a page for a browser that shows one, and the envelope for everybody else. */
export function answerNotFound(app: App, deps: Pick<Deps, 'config' | 'storage'>): void {
  app.setNotFoundHandler(async (request, reply) => {
    const { method, url, headers } = request
    const isShown = headers.accept?.includes('text/html') === true && !url.startsWith('/api/')
    if (!isShown || (method !== 'GET' && method !== 'HEAD')) throw new ServiceError('NOT_FOUND')
    request.errorCode = 'NOT_FOUND'
    return sendPage(reply.code(404), deps, { file: 'not-found.html', reaches: 'the service' })
  })
}

/** Mail programs and people add a slash. Browsers keep the part after `#`. */
function withoutSlash(app: App, page: string): void {
  app.get(`${page}/`, async ({ url }, reply) => reply.redirect(url.replace(/\/(?=\?|$)/, ''), 301))
}

interface Assets {
  /** The folder of this process's own files. */
  root: string
  /** Finds the file of another release. */
  findKept: (name: string) => Promise<Buffer | undefined>
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
}

/**
 * Each file by the smallest of its encodings that lies there and that the browser takes; one that is of another release
 * as that kept it.
 */
export async function serveAssets(app: App, { root, findKept }: Assets): Promise<void> {
  await app.register(
    async (assets) => {
      await assets.register(fastifyStatic, {
        root,
        index: false,
        dotfiles: 'ignore',
        preCompressed: true,
        immutable: true,
        maxAge: '365d',
        decorateReply: false,
      })
      assets.setNotFoundHandler(async (request, reply) => {
        const { pathname } = new URL(request.url, 'http://assets')
        const name = pathname.slice('/assets/'.length)
        const content = NAME.test(name) ? await findKept(name) : undefined
        if (content === undefined) throw new ServiceError('NOT_FOUND')
        return reply
          .type(MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream')
          .header('cache-control', 'public, max-age=31536000, immutable')
          .send(content)
      })
    },
    { prefix: '/assets' },
  )
}

/** File names of the build. A file in a library's folder is not stored. */
const NAME = /^[\w-]+\.[\w.]+$/
