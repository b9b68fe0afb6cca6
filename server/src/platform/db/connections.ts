import {
  type ClientBase,
  DatabaseError,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
} from 'pg'
import { openPool, type PoolSettings } from './open-pool.ts'
import { cut, type Presence } from './presence.ts'
import { DatabaseUnavailable } from './unavailable.ts'

export interface ConnectionsOptions extends PoolSettings {
  /** Called with each statement before it is sent, and true if an earlier one is still unanswered. */
  onStatement: ((statement: QueryConfig, isBehind: boolean) => void) | undefined
}

/** One connection, used by one borrower at a time. */
export interface Connection {
  query(config: QueryConfig): Promise<QueryResult>
  /** Returns it to the pool, or closes it after an error that leaves it in an unknown state. */
  release(broken?: boolean): void
}

export interface Connections {
  /** @throws {DatabaseUnavailable} within `acquireTimeoutMs` */
  acquire(): Promise<Connection>
  /** Opens every connection, as far as the database lets in; resolves within `acquireTimeoutMs`. */
  warm(): Promise<void>
  stats(): PoolStats
  /** Waits up to 2 s for borrowers to return their connections. */
  end(): Promise<void>
}

export interface PoolStats {
  /** The most connections. */
  size: number
  inUse: number
  /** Borrowers that wait for a connection. */
  waiting: number
}

/** Beyond this queue length, a borrower would not be served in time, and is refused. */
const WAITING_PER_CONNECTION = 16
/** Added to the database's own statement timeout, so that only a connection that hangs is cut. */
const ANSWER_GRACE_MS = 500
const END_MS = 2_000

/** SQLSTATE of a write that a standby, or a database that is set so, refuses. */
const READ_ONLY = '25006'

/**
 * A pool that answers in time, whatever happens to the database or the network. A connection belongs to the era in which it was
 * opened, was able to write then, and is not used in another one.
 */
export function openConnections(options: ConnectionsOptions, presence: Presence): Connections {
  const { poolSize } = options
  const pool = openWatchedPool(options, presence)
  const borrowed = new Set<PoolClient>()
  let waiting = 0

  async function acquire(): Promise<Connection> {
    if (waiting >= poolSize * WAITING_PER_CONNECTION) {
      throw new DatabaseUnavailable('too many wait for a connection')
    }
    waiting += 1
    try {
      const client = await pool.take()
      const era = presence.era()
      borrowed.add(client)
      return lend(client, options, {
        onReadOnly: () => presence.doubt(era),
        giveBack(isBroken) {
          borrowed.delete(client)
          pool.giveBack(client, isBroken)
        },
      })
    } catch (error) {
      throw unavailable(error)
    } finally {
      waiting -= 1
    }
  }

  return {
    acquire,
    async warm() {
      const opened = await Promise.allSettled(Array.from({ length: poolSize }, acquire))
      for (const each of opened) if (each.status === 'fulfilled') each.value.release()
    },
    stats: () => ({ size: poolSize, inUse: borrowed.size, waiting }),
    end: () => pool.end(),
  }
}

/** A pool whose connections are of the present era. */
function openWatchedPool(options: ConnectionsOptions, presence: Presence) {
  const eras = new Map<ClientBase, number>()
  const pool = openPool(options, (client) => {
    eras.set(client, presence.era())
    client.once('end', () => eras.delete(client))
  })
  // Also ends attempts to connect, which would keep their places in the pool.
  const cutAll = (): void => [...eras.keys()].forEach(cut)
  const stopWatching = presence.onLost(cutAll)
  const isOfThisEra = (client: PoolClient): boolean => eras.get(client) === presence.era()

  function giveBack(client: PoolClient, isBroken = false): void {
    const isOver = isBroken || !isOfThisEra(client)
    if (isOver) cut(client)
    client.release(isOver)
  }

  return {
    giveBack,
    /** A connection, or an error as soon as the database is lost. */
    async take(): Promise<PoolClient> {
      for (;;) {
        // Without asking the pool, which would open a connection that nobody wants.
        const loss = presence.loss()
        if (loss !== undefined) throw loss
        const client = await untilLost(pool.connect(), presence, giveBack)
        if (isOfThisEra(client)) return client
        giveBack(client)
      }
    },
    async end(): Promise<void> {
      stopWatching()
      const timer = setTimeout(cutAll, END_MS)
      await pool.end()
      clearTimeout(timer)
    },
  }
}

/** The connection, or an error as soon as the database is lost. One that comes later is given back. */
async function untilLost(
  connecting: Promise<PoolClient>,
  presence: Presence,
  giveBack: (late: PoolClient) => void,
): Promise<PoolClient> {
  const lost = Promise.withResolvers<never>()
  const forget = presence.onLost(() => lost.reject(presence.loss()))
  try {
    return await Promise.race([connecting, lost.promise])
  } catch (error) {
    connecting.then(giveBack, () => {})
    throw error
  } finally {
    forget()
  }
}

interface Lending {
  /** Called if PostgreSQL refuses a write because it only reads. */
  onReadOnly: () => void
  giveBack: (isBroken: boolean) => void
}

function lend(
  client: PoolClient,
  { statementTimeoutMs, onStatement }: ConnectionsOptions,
  { onReadOnly, giveBack }: Lending,
): Connection {
  let isBroken = false
  let unanswered = 0
  // One timer for all unanswered statements, because they are answered in order.
  let timer: NodeJS.Timeout | undefined
  return {
    async query(config) {
      onStatement?.(config, unanswered > 0)
      unanswered += 1
      if (timer !== undefined) timer.refresh()
      else if (statementTimeoutMs > 0)
        timer = setTimeout(cut, statementTimeoutMs + ANSWER_GRACE_MS, client)
      try {
        return await client.query(config)
      } catch (error) {
        if (!(error instanceof DatabaseError)) {
          isBroken = true
          throw unavailable(error)
        }
        if (error.code === READ_ONLY) onReadOnly()
        throw error
      } finally {
        unanswered -= 1
        if (unanswered === 0) {
          clearTimeout(timer)
          timer = undefined
        }
      }
    },
    release: (isUnusable = false) => giveBack(isUnusable || isBroken),
  }
}

function unavailable(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new DatabaseUnavailable(`the database cannot be asked: ${reason}`, { cause: error })
}
