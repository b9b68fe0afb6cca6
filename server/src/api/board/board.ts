import * as board from '@interview-room/contract/operations/board.ts'
import type { FastifyRequest } from 'fastify'
import { answerHelp } from '../../domain/board/answer-help.ts'
import { createBoardEntryTokens } from '../../domain/board/board-entry-token.ts'
import type { BoardHolder } from '../../domain/board/board-holder.ts'
import { createBoardTokens } from '../../domain/board/board-token.ts'
import { presentBoard } from '../../domain/board/present.ts'
import { readBoard } from '../../domain/board/read-board.ts'
import { type BoardWatch, type Viewer, watchBoards } from '../../domain/board/watch-boards.ts'
import { findRoomKey } from '../../domain/booking/read-bookings.ts'
import { ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import type { EventStream } from '../http/event-stream.ts'
import { serve, serveStream } from '../http/serve.ts'

/** Bytes that may wait for a reader. A reader with more than this reconnects and starts over. */
const BUFFER_MAX_BYTES = 4 * 1024 * 1024

/** The plane of the operators: what the page at `/board` calls, by the link that opened it. */
export async function boardRoutes(app: App, deps: Deps): Promise<void> {
  verifyLinks(app, deps)
  const entryTokens = createBoardEntryTokens(deps)
  const boards = watchBoards(deps)
  // An endless answer would keep the server from closing.
  app.addHook('preClose', async () => boards.stop())

  serve(app, board.listBoardRooms, async ({ boardHolder }) => ({
    data: presentBoard(boardHolder, await readBoard(deps, boardHolder.tenantId)),
  }))

  serveStream(app, board.streamBoard, async ({ boardHolder }) => (stream) => {
    deps.metrics.liveStreams.inc({ kind: 'board' })
    stream.onClose(() => deps.metrics.liveStreams.dec({ kind: 'board' }))
    follow(stream, boardHolder, boards)
  })

  serve(app, board.issueBoardEntryToken, async ({ boardHolder, params }) => {
    const key = { tenantId: boardHolder.tenantId, roomId: params.room_id }
    if ((await findRoomKey(deps.db, key)) === undefined) throw new ServiceError('NOT_FOUND')
    const { token, expiresAt } = await entryTokens.issue(boardHolder, key.roomId)
    const connectUrl = `${deps.config.publicUrl}/r/${key.roomId}#token=${token}`
    return { data: { connect_url: connectUrl, expires_at: expiresAt.toISOString() } }
  })

  serve(app, board.answerHelp, async ({ boardHolder, params }) => ({
    data: { answered: await answerHelp(deps, boardHolder, params.room_id) },
  }))
}

/** The hook of the board's plane: the link -> `request.boardHolder`. Throws 401 UNAUTHORIZED. */
function verifyLinks(app: App, deps: Deps): void {
  const boardTokens = createBoardTokens(deps)
  app.addHook('onRequest', async (request: FastifyRequest) => {
    request.boardHolder = await boardTokens.verify(request.headers.authorization)
  })
}

function follow(stream: EventStream, holder: BoardHolder, boards: BoardWatch): void {
  const viewer: Viewer = {
    holder,
    write(frame) {
      stream.write(frame)
      if (stream.waitingBytes() > BUFFER_MAX_BYTES) stream.cutOff()
    },
    end: () => stream.end(),
  }
  stream.onClose(boards.join(viewer))
}
