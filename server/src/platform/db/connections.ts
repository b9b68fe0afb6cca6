import { Socket } from 'node:net'
import {
  Client,
  type ClientBase,
  type ClientConfig,
  DatabaseError,
  Pool,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
  type CustomTypesConfig,
  types,
} from 'pg'
import { SESSION_OPTIONS } from './own-session.ts'
import { cut, type Presence, requireWritable } from './presence.ts'
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

/** SQLSTATE of a write that a standby, or a database that is set so, refuses. */
const READ_ONLY = '25006'

/**
 * A pool that answers in time, whatever happens to the database or the network. A connection belongs to the era in which it was
 * opened, was able to write then, and is not used in another one.
 */
export function openConnections(options: ConnectionsOptions, presence: Presence): Connections {
  const { poolSize } = options
  const eras = new Map<ClientBase, number>()
  const pool = createPool(options, (client) => {
    eras.set(client, presence.era())
    client.once('end', () => eras.delete(client))
  })
  const borrowed = new Set<PoolClient>()
  let waiting = 0
  // Also ends attempts to connect, which would keep their places in the pool.
  const cutAll = (): void => [...eras.keys()].forEach(cut)
  const stopWatching = presence.onLost(cutAll)

  function giveBack(client: PoolClient, isBroken: boolean): void {
    const isOver = isBroken || eras.get(client) !== presence.era()
    if (isOver) cut(client)
    client.release(isOver)
  }

  /** A connection of this era, or an error as soon as the database is lost. */
  async function take(): Promise<PoolClient> {
    const lost = Promise.withResolvers<never>()
    const reject = (): void => lost.reject(presence.loss())
    const forget = presence.onLost(reject)
    try {
      for (;;) {
        const loss = presence.loss()
        // Without asking the pool, which would open a connection that nobody wants.
        if (loss !== undefined) throw loss
        const connecting = pool.connect()
        const client = await Promise.race([connecting, lost.promise]).catch((error: unknown) => {
          connecting.then(
            (late) => giveBack(late, false),
            () => {},
          )
          throw error
        })
        if (eras.get(client) === presence.era()) return client
        giveBack(client, true)
      }
    } finally {
      lost.promise.catch(() => {})
      forget()
    }
  }

  return {
    async acquire() {
      if (waiting >= poolSize * WAITING_PER_CONNECTION) {
        throw new DatabaseUnavailable('too many wait for a connection')
      }
      waiting += 1
      try {
        const client = await take()
        const era = presence.era()
        borrowed.add(client)
        return lend(client, options, {
          onReadOnly: () => presence.doubt(era),
          giveBack(isBroken) {
            borrowed.delete(client)
            giveBack(client, isBroken)
          },
        })
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

function createPool(options: ConnectionsOptions, onOpen: (client: ClientBase) => void): Pool {
  class PooledClient extends Client {
    constructor(config?: ClientConfig) {
      super(config)
      // The borrower notices a broken connection by its statement.
      this.on('error', () => {})
      onOpen(this)
    }
  }

  /** The pool waits for it, but would wait for ever. */
  async function judge(client: ClientBase): Promise<void> {
    try {
      await requireWritable(client, options.acquireTimeoutMs)
    } catch (error) {
      cut(client)
      throw error
    }
  }

  const pool = new Pool({
    Client: PooledClient,
    onConnect: judge,
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
