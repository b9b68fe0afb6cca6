import { Socket } from 'node:net'
import {
  DatabaseError,
  Pool,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
  type CustomTypesConfig,
  types,
} from 'pg'
import { SESSION_OPTIONS } from './own-session.ts'
import { cut, type Presence } from './presence.ts'
import { DatabaseUnavailable } from './unavailable.ts'

/** 64-bit integers become `bigint`: as numbers they would lose digits. */
const TYPES: CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === types.builtins.INT8 && format !== 'binary') return BigInt
    return types.getTypeParser(oid, format)
  },
}

export interface ConnectionsOptions {
  url: string
  applicationName: string
  poolSize: number
  /** Statement timeout, in milliseconds; 0 for none. */
  statementTimeoutMs: number
  /** Lock timeout, in milliseconds. */
  lockTimeoutMs: number
  /** Longest pause between the statements of a transaction, in milliseconds. */
  idleInTransactionMs: number
  /** Longest wait for a connection, in milliseconds, connecting included. */
  acquireTimeoutMs: number
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

/** A pool that answers in time, whatever happens to the database or the network. */
export function openConnections(options: ConnectionsOptions, presence: Presence): Connections {
  const { poolSize } = options
  const pool = createPool(options)
  const clients = new Set<PoolClient>()
  const borrowed = new Set<PoolClient>()
  let waiting = 0
  pool.on('connect', (client) => {
    clients.add(client)
    client.on('error', () => {})
  })
  pool.on('remove', (client) => clients.delete(client))
  const cutAll = (): void => clients.forEach(cut)
  const stopWatching = presence.onLost(cutAll)

  return {
    async acquire() {
      if (waiting >= poolSize * WAITING_PER_CONNECTION) {
        throw new DatabaseUnavailable('too many wait for a connection')
      }
      waiting += 1
      try {
        const client = await untilLost(pool.connect(), presence)
        borrowed.add(client)
        return lend(client, options, () => borrowed.delete(client))
      } catch (error) {
        throw unavailable(error)
      } finally {
        waiting -= 1
      }
    },
    stats: () => ({ size: poolSize, inUse: borrowed.size, waiting }),
    async end() {
      stopWatching()
      const timer = setTimeout(cutAll, END_MS)
      await pool.end()
      clearTimeout(timer)
    },
  }
}

/**
 * Writes the statements of one turn of the event loop at once. The driver corks its stream for each statement, and a write
 * costs as much as making a small one.
 */
class TurnSocket extends Socket {
  override cork(): void {
    if (this.writableCorked === 0) {
      super.cork()
      process.nextTick(() => super.uncork())
    }
    super.cork()
  }
}

function createPool(options: ConnectionsOptions): Pool {
  const pool = new Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.poolSize,
    connectionTimeoutMillis: options.acquireTimeoutMs,
    idleTimeoutMillis: 0,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: options.statementTimeoutMs,
    lock_timeout: options.lockTimeoutMs,
    idle_in_transaction_session_timeout: options.idleInTransactionMs,
    options: SESSION_OPTIONS,
    types: TYPES,
    // Statements of a transaction are sent as they come, and answered in the same order.
    pipeline: true,
    stream: () => new TurnSocket(),
  })
  // A borrower notices a broken connection by its statement; an idle one is just dropped.
  pool.on('error', () => {})
  return pool
}

function lend(
  client: PoolClient,
  { statementTimeoutMs, onStatement }: ConnectionsOptions,
  onReturn: () => void,
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
        if (error instanceof DatabaseError) throw error
        isBroken = true
        throw unavailable(error)
      } finally {
        unanswered -= 1
        if (unanswered === 0) {
          clearTimeout(timer)
          timer = undefined
        }
      }
    },
    release(isUnusable = false) {
      onReturn()
      const isOver = isUnusable || isBroken
      if (isOver) cut(client)
      client.release(isOver)
    },
  }
}

function unavailable(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new DatabaseUnavailable(`the database cannot be asked: ${reason}`, { cause: error })
}

/** The connection, or an error as soon as the database is lost. */
async function untilLost(connecting: Promise<PoolClient>, presence: Presence): Promise<PoolClient> {
  const lost = Promise.withResolvers<never>()
  const reject = (): void => lost.reject(presence.loss())
  const forget = presence.onLost(reject)
  if (presence.loss() !== undefined) reject()
  try {
    return await Promise.race([connecting, lost.promise])
  } catch (error) {
    // The connection may still arrive, but nobody wants it.
    connecting.then(
      (late) => late.release(),
      () => {},
    )
    throw error
  } finally {
    forget()
  }
}
