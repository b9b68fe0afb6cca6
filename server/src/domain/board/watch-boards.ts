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
  /** Sends the whole board, then what changes. Answers how to leave. */
  join(viewer: Viewer): () => void
  /** Ends every stream, and those that come later as soon as they join. */
  stop(): void
}

/** Every so many ticks: a sign of life, and a check for links that were ended. */
const CHECK_EVERY = 5

interface WatchedBoard {
  viewers: Set<Viewer>
  /** Who has not been sent the whole board yet. */
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
 * Brings the rooms of a tenant to the boards on this replica: one statement a tick for each tenant with an
 * open board, however many boards and rooms there are.
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
  // A slow database is not asked again before it has answered.
  if (watched.isReading) return
  watched.isReading = true
  try {
    if (watched.ticks % CHECK_EVERY === 0) await endDeadLinks(deps, watched)
    watched.ticks += 1
    send(watched, await readBoard(deps, tenantId))
  } catch (error) {
    deps.log.warn({ err: error, tenant: tenantId }, 'board query failed')
    // Better a page that says that it is cut off than one that shows how it was.
    for (const viewer of watched.viewers) viewer.end()
  } finally {
    watched.isReading = false
  }
}

async function endDeadLinks({ db, clock }: WatchDeps, { viewers }: WatchedBoard): Promise<void> {
  // Who comes while this is read was let in by a living link.
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
