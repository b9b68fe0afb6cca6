import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { Deps } from '../deps.ts'
import type { App } from './app-types.ts'
import { sendPage, WEB_DIST } from './pages.ts'

/** The room page, the board, and the files that all pages load; their names change with their content. */
export async function pageRoutes(app: App, deps: Pick<Deps, 'config' | 'storage'>): Promise<void> {
  await serveAssets(app, path.join(WEB_DIST, 'assets'))
  app.get('/board', async (_request, reply) => sendPage(reply, deps, 'board.html'))
  app.get('/r/:room_id', async (_request, reply) => sendPage(reply, deps, 'room.html'))
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
