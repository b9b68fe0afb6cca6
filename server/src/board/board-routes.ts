import type { ServerResponse } from 'node:http'
import { BoardBody, HelpAnswerBody, PassBody } from '@interview-room/contract/board.ts'
import { ErrorBody, success, Uuid } from '@interview-room/contract/envelope.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import { ServiceError } from '../lib/service-error.ts'
import { findRoomKey } from '../rooms/find-room-key.ts'
import { answerHelp } from './answer-help.ts'
import type { BoardHolder } from './board-holder.ts'
import { type BoardLinks, createBoardLinks } from './board-link.ts'
import { createPasses } from './pass.ts'
import { presentBoard } from './present.ts'
import { readBoard } from './read-board.ts'
import { type BoardWatch, type Viewer, watchBoards } from './watch-boards.ts'

const TAGS = ['Board']
const RoomParams = Type.Object({ room_id: Uuid })
/** What may wait for a reader; who is further behind comes back and begins anew. */
const BUFFER_MAX_BYTES = 4 * 1024 * 1024

/** The plane of the operators: what the page at `/board` calls, by the link that opened it. */
export async function boardRoutes(app: App, deps: Deps): Promise<void> {
  const links = createBoardLinks(deps)
  readRoutes(app, deps, links)
  roomRoutes(app, deps, links)
}

function readRoutes(app: App, deps: Deps, links: BoardLinks): void {
  const boards = watchBoards(deps)
  // An endless answer would keep the server from closing.
  app.addHook('preClose', async () => boards.stop())

  app.get(
    '/board/rooms',
    { schema: { tags: TAGS, response: { 200: success(BoardBody), default: ErrorBody } } },
    async ({ headers }) => {
      const holder = await links.verify(headers.authorization)
      return succeed(presentBoard(holder, await readBoard(deps, holder.tenantId)))
    },
  )

  app.get(
    '/board/stream',
    {
      schema: {
        tags: TAGS,
        response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } } },
      },
      config: { isLong: true },
    },
    async ({ headers }, reply) => {
      const holder = await links.verify(headers.authorization)
      reply.hijack()
      deps.metrics.liveStreams.inc({ kind: 'board' })
      reply.raw.once('close', () => deps.metrics.liveStreams.dec({ kind: 'board' }))
      serve(reply.raw, holder, boards)
    },
  )
}

function serve(response: ServerResponse, holder: BoardHolder, boards: BoardWatch): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // The connection ends with the stream: kept alive, it would hold up the end of the service.
    connection: 'close',
  })
  response.write(': open\n\n')
  const viewer: Viewer = {
    holder,
    write(frame) {
      response.write(frame)
      if (response.writableLength > BUFFER_MAX_BYTES) response.destroy()
    },
    end: () => response.end(),
  }
  response.once('close', boards.join(viewer))
}

function roomRoutes(app: App, deps: Deps, links: BoardLinks): void {
  const passes = createPasses(deps)

  app.post(
    '/board/rooms/:room_id/pass',
    {
      schema: {
        tags: TAGS,
        params: RoomParams,
        response: { 201: success(PassBody), default: ErrorBody },
      },
    },
    async ({ headers, params }, reply) => {
      const holder = await links.verify(headers.authorization)
      const key = { tenantId: holder.tenantId, roomId: params.room_id }
      if ((await findRoomKey(deps.db, key)) === undefined) throw new ServiceError('NOT_FOUND')
      const { token, expiresAt } = await passes.issue(holder, key.roomId)
      const connectUrl = `${deps.config.publicUrl}/r/${key.roomId}#token=${token}`
      void reply.code(201)
      return succeed({ connect_url: connectUrl, expires_at: expiresAt.toISOString() })
    },
  )

  app.post(
    '/board/rooms/:room_id/help/answer',
    {
      schema: {
        tags: TAGS,
        params: RoomParams,
        response: { 200: success(HelpAnswerBody), default: ErrorBody },
      },
    },
    async ({ headers, params }) => {
      const holder = await links.verify(headers.authorization)
      return succeed({ answered: await answerHelp(deps, holder, params.room_id) })
    },
  )
}
