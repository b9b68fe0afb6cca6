import postgres from 'postgres'

/** The pool. Statements are tagged templates: `db\`select …\``. */
export type Db = postgres.Sql<{ bigint: bigint }>
/** An open transaction. Functions that write take a `Tx`, so they cannot run outside of one. */
export type Tx = postgres.TransactionSql<{ bigint: bigint }>
/** For reads that serve both. */
export type Query = Db | Tx

export interface DbOptions {
  url: string
  poolSize: number
  /** Longest a statement may run, in milliseconds. */
  statementTimeoutMs?: number
  /** Longest a statement waits for a lock, in milliseconds. */
  lockTimeoutMs?: number
  /** Longest a transaction waits for its next statement, in milliseconds. */
  idleInTransactionMs?: number
  applicationName: string
}

const LOCK_TIMEOUT_MS = 2_000
/** Of a request. */
const STATEMENT_TIMEOUT_MS = 5_000
const IDLE_IN_TRANSACTION_MS = 10_000

export function openDb(options: DbOptions): Db {
  return postgres(options.url, {
    max: options.poolSize,
    connect_timeout: 5,
    idle_timeout: 0,
    types: { bigint: postgres.BigInt },
    onnotice: () => {},
    connection: {
      application_name: options.applicationName,
      statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
      lock_timeout: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: options.idleInTransactionMs ?? IDLE_IN_TRANSACTION_MS,
    },
  })
}

/** The class-40 states: nothing was kept, and the same transaction may succeed when run again. */
const RETRYABLE = new Set(['40001', '40P01'])
const TRIES_MAX = 3

/**
 * Runs `work` in a READ COMMITTED transaction, again after a deadlock or serialisation failure.
 * `work` must therefore touch nothing but the database.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await db.begin((tx) => work(tx))) as T
    } catch (error) {
      if (tries === TRIES_MAX || !RETRYABLE.has(sqlStateOf(error) ?? '')) throw error
    }
  }
}

/**
 * A lock by a name, until the transaction ends. Whoever comes later waits behind whoever waits
 * already, in either mode.
 */
export async function lockByName(
  tx: Tx,
  name: string,
  mode: 'shared' | 'alone' = 'alone',
): Promise<void> {
  await (mode === 'alone'
    ? tx`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`
    : tx`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`)
}

/** The SQLSTATE of a database error, or undefined for anything else. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.code : undefined
}

/** A 64-bit integer of the database as a JavaScript number; a defect when it is not exact. */
export function toSafeInteger(value: bigint | number | string): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new Error('integer of the database is not safe')
  return number
}
