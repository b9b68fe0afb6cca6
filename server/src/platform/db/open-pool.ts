import { Socket } from 'node:net'
import { Client, type ClientBase, type ClientConfig, type CustomTypesConfig, Pool, types } from 'pg'
import { SESSION_OPTIONS } from './own-session.ts'
import { cut, requireWritable } from './presence.ts'

export interface PoolSettings {
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
}

/** 64-bit integers become `bigint`: as numbers they would lose digits. */
const TYPES: CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === types.builtins.INT8 && format !== 'binary') return BigInt
    return types.getTypeParser(oid, format)
  },
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

/** Opens a pool that lends a new connection only if its server takes writes. `onOpen` gets each connection before it connects. */
export function openPool(options: PoolSettings, onOpen: (client: ClientBase) => void): Pool {
  class PooledClient extends Client {
    constructor(config?: ClientConfig) {
      super(config)
      // The borrower notices a broken connection by its statement.
      this.on('error', () => {})
      onOpen(this)
    }
  }

  // Not `verify`: the pool would lose a connection whose borrower gives up meanwhile. The pool waits for this promise, although
  // its type says that it does not.
  const proof = {
    onConnect: async (client: ClientBase) => requireOpenable(client, options.acquireTimeoutMs),
  }
  const pool = new Pool({
    Client: PooledClient,
    ...proof,
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

/** Closes a connection that cannot be lent, for whose end the pool would wait. @throws {DatabaseLost} if its server takes no writes */
async function requireOpenable(client: ClientBase, timeoutMs: number): Promise<void> {
  try {
    await requireWritable(client, timeoutMs)
  } catch (error) {
    cut(client)
    throw error
  }
}
