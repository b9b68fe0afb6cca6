import type { BoardEvents } from '@interview-room/contract/board.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { BoardHolder } from './board-holder.ts'
import { presentBoard } from './present.ts'
import { type Board, readBoard } from './read-board.ts'
import { listValidBoardTokens } from './store.ts'

/** A board that is open on this replica. */
export interface Viewer {
  holder: BoardHolder
  write(frame: string): void
  end(): void
}

export interface BoardWatch {
  /** Sends the whole board, then every change. Returns the function that leaves. */
  join(viewer: Viewer): () => void
  /** Ends every stream. A stream that joins later ends immediately. */
  stop(): void
}

/** Ticks between two signs of life. Each of them also checks for revoked links. */
const CHECK_EVERY = 5

interface WatchedBoard {
  viewers: Set<Viewer>
  /** Viewers that have not received the whole board yet. */
  fresh: Set<Viewer>
  /** The rooms as they were last sent, by id. */
  sent: Map<string, string>
  hasMore: boolean
  ticks: number
  isReading: boolean
  timer: NodeJS.Timeout
}

type WatchDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log'>

/**
 * Sends the rooms of a tenant to the boards on this replica. A tick costs one statement per tenant with an open board,
 * regardless of the number of boards and rooms.
 */
export function watchBoards(deps: WatchDeps): BoardWatch {
  const tenants = new Map<string, WatchedBoard>()
  let isStopped = false

  function watch(tenantId: string): WatchedBoard {
    const watched: WatchedBoard = {
      viewers: new Set(),
      fresh: new Set(),
      sent: new Map(),
      hasMore: false,
      ticks: 0,
      isReading: false,
      timer: setInterval(
        () => void tick(deps, tenantId, watched),
        deps.config.waits.boardTickMs,
      ).unref(),
    }
    tenants.set(tenantId, watched)
    return watched
  }

  return {
    join(viewer) {
      if (isStopped) {
        viewer.end()
        return () => {}
      }
      const { tenantId } = viewer.holder
      const watched = tenants.get(tenantId) ?? watch(tenantId)
      watched.viewers.add(viewer)
      watched.fresh.add(viewer)
      void tick(deps, tenantId, watched)
      return () => {
        watched.viewers.delete(viewer)
        watched.fresh.delete(viewer)
        if (watched.viewers.size > 0) return
        clearInterval(watched.timer)
        tenants.delete(tenantId)
      }
    },
    stop() {
      isStopped = true
      for (const { viewers, timer } of tenants.values()) {
        clearInterval(timer)
        for (const viewer of viewers) viewer.end()
      }
      tenants.clear()
    },
  }
}

async function tick(deps: WatchDeps, tenantId: string, watched: WatchedBoard): Promise<void> {
  // Skip the tick while a slow database still works on the previous one.
  if (watched.isReading) return
  watched.isReading = true
  try {
    if (watched.ticks % CHECK_EVERY === 0) await endDeadLinks(deps, watched)
    watched.ticks += 1
    send(watched, await readBoard(deps, tenantId))
  } catch (error) {
    deps.log.warn({ err: error, tenant: tenantId }, 'board query failed')
    // A page that says that it is disconnected is better than one with stale rooms.
    for (const viewer of watched.viewers) viewer.end()
  } finally {
    watched.isReading = false
  }
}

async function endDeadLinks({ db, clock }: WatchDeps, { viewers }: WatchedBoard): Promise<void> {
  // Viewers who join during the query need no check: their link has just been verified.
  const present = [...viewers]
  if (present.length === 0) return
  const boardTokenIds = [...new Set(present.map(({ holder }) => holder.boardTokenId))]
  const living = new Set(await listValidBoardTokens(db, { boardTokenIds, now: clock() }))
  for (const viewer of present) {
    if (living.has(viewer.holder.boardTokenId)) viewer.write(': still here\n\n')
    else viewer.end()
  }
}

function send(watched: WatchedBoard, { now, rooms, hasMore }: Board): void {
  const before = watched.sent
  watched.sent = new Map(rooms.map((room) => [room.id, JSON.stringify(room)]))
  const changed = rooms.filter(({ id }) => watched.sent.get(id) !== before.get(id))
  const gone = [...before.keys()].filter((id) => !watched.sent.has(id))
  const isChanged = changed.length + gone.length > 0 || hasMore !== watched.hasMore
  watched.hasMore = hasMore

  const change = frameOf('rooms', { now: now.toISOString(), changed, gone, has_more: hasMore })
  for (const viewer of watched.viewers) {
    if (watched.fresh.delete(viewer)) {
      viewer.write(frameOf('board', presentBoard(viewer.holder, { now, rooms, hasMore })))
    } else if (isChanged) viewer.write(change)
  }
}

function frameOf<N extends keyof BoardEvents>(name: N, data: BoardEvents[N]): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
