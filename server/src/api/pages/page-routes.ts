import path from 'node:path'
import fastifyStatic from '@fastify/static'
import { isUuid } from '../../platform/lib/uuid.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { type FramedPage, frameAncestorsOf } from '../../platform/tenants/frame-ancestors.ts'
import type { App } from '../http/app-types.ts'
import { sendPage } from './pages.ts'

/** The room page, the page of a connection test, the board, and the files that all pages load; their names change with their content. */
export async function pageRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'storage' | 'db'>,
): Promise<void> {
  await serveAssets(app, path.join(deps.config.pagesDir, 'assets'))
  app.get('/board', async (_request, reply) => sendPage(reply, deps, { file: 'board.html' }))
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

  /** The page says itself what is wrong when the database is away: it is sent all the same. */
  async function framersOf(page: FramedPage, log: Pick<Deps['log'], 'warn'>): Promise<string[]> {
    if (!Object.values(page).every(isUuid)) return []
    return frameAncestorsOf(deps, page).catch((error: unknown) => {
      log.warn({ err: error }, 'tenant lookup failed: framing denied')
      return []
    })
  }
}

/** Each file by the smallest of its encodings that lies there and that the browser takes. */
export async function serveAssets(app: App, root: string): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    prefix: '/assets/',
    index: false,
    dotfiles: 'ignore',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
  })
}
