import { DatabaseError, type QueryConfig, type QueryResult } from 'pg'
import { FairQueue, type Release } from '../lib/fair-queue.ts'
import {
  type Connection,
  type Connections,
  openConnections,
  type PoolStats,
} from './connections.ts'
import { createHints, type Hint, type Hints, notificationOf } from './hints.ts'
import { prepared, sentAtOnce, type Statements } from './pipeline.ts'
import { createPresence, type Listener, type Presence } from './presence.ts'
import { type AnyRow, type Rows, Statement, type Written } from './statement.ts'
import { type DatabaseLost, NoSlotError, SlotTaken } from './unavailable.ts'

export type { Fragment } from './statement.ts'
export { identifier, json, raw, toSafeInteger } from './statement.ts'

/** Runs a statement, or makes a piece of one: `` query`select …` ``. */
export type Query = <T extends readonly object[] = AnyRow[]>(
  strings: TemplateStringsArray,
  ...values: readonly unknown[]
) => Statement<T>

/** The connection pool. */
export interface Db extends Query {
  /** A pool of separate connections to the same database, for statements that must not wait for others. */
  beside(options: PoolOptions): Db
  /** Subscribes to a channel. Returns a function that unsubscribes. */
  listen(channel: string, listener: Listener): () => void
  /** Watches the database, so that nobody waits for one that does not answer. */
  watch(): void
  isLost(): boolean
  /** Opens every connection of this pool. One that cannot be opened now is opened when somebody needs it. */
  warm(): Promise<void>
  stats(): PoolStats
  /** Ends the pool, and the ones beside it. */
  end(): Promise<void>
  /** Internals for `inTransaction`. */
  readonly [inside]: Internals
}

/** An open transaction. Functions that write take a `Tx`, so they cannot run outside of one. */
export interface Tx extends Query {
  readonly [transaction]: Transaction
}

const inside = Symbol('inside')
const transaction = Symbol('transaction')

interface Internals {
  connections: Connections
  hints: Hints
  slots: FairQueue
  waitMs: number
}

interface Transaction {
  /** @throws {SlotTaken} when no slot is free */
  reserveSlot(name: string, waitMs?: number): void
  /** Commits after all earlier statements, but never without a slot that was wanted. */
  commit(): Promise<unknown>
  /** Sent after the commit. */
  readonly hints: Hint[]
}

interface PoolOptions {
  name: string
  poolSize: number
  /** Statement timeout, in milliseconds. */
  statementTimeoutMs?: number
  /** Lock timeout, in milliseconds. */
  lockTimeoutMs?: number
  /** Longest pause between the statements of a transaction, in milliseconds. */
  idleInTransactionMs?: number
  /** Longest wait for a connection, in milliseconds. */
  acquireTimeoutMs?: number
}

export interface DbOptions extends Omit<PoolOptions, 'name'> {
  url: string
  applicationName: string
  /** Called whenever the database is lost, or has come back, while it is watched. */
  onChange?: (loss: DatabaseLost | undefined) => void
  /** Called with each statement before it is sent, and true if it goes with an unanswered one. */
  onStatement?: (statement: QueryConfig, isBehind: boolean) => void
}

const LOCK_TIMEOUT_MS = 2_000
/** Statement timeout for a request. */
const STATEMENT_TIMEOUT_MS = 4_500
const IDLE_IN_TRANSACTION_MS = 10_000
const ACQUIRE_TIMEOUT_MS = 2_000
/** The share of the connections that one room may use at a time. */
const SHARE_OF_ONE = 1 / 4

export function openDb({ onChange, ...options }: DbOptions): Db {
  const { url, applicationName } = options
  const presence = createPresence({ url, applicationName: `${applicationName}-watch`, onChange })
  return openPool({ ...options, name: '' }, presence, () => presence.end())
}

type OpenPool = PoolOptions & Pick<DbOptions, 'url' | 'applicationName' | 'onStatement'>

function openPool(options: OpenPool, presence: Presence, endPresence: () => Promise<void>): Db {
  const { poolSize, applicationName, name } = options
  const waitMs = options.acquireTimeoutMs ?? ACQUIRE_TIMEOUT_MS
  const connections = openConnections(
    {
      url: options.url,
      applicationName: name === '' ? applicationName : `${applicationName}-${name}`,
      poolSize,
      statementTimeoutMs: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
      lockTimeoutMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
      idleInTransactionMs: options.idleInTransactionMs ?? IDLE_IN_TRANSACTION_MS,
      acquireTimeoutMs: waitMs,
      onStatement: options.onStatement,
    },
    presence,
  )
  const slots = new FairQueue({
    placesPerCaller: Math.max(1, Math.floor(poolSize * SHARE_OF_ONE)),
  })
  const childPools: Db[] = []
  const query = tagged((written) => runAlone(connections, written))
  const hints = createHints((batch) => runAlone(connections, notificationOf(batch)))
  return Object.assign(query, {
    beside(pool: PoolOptions): Db {
      const db = openPool({ ...options, ...pool }, presence, async () => {})
      childPools.push(db)
      return db
    },
    listen: (channel: string, listener: Listener) => presence.listen(channel, listener),
    watch: () => presence.watch(),
    isLost: () => presence.loss() !== undefined,
    warm: () => connections.warm(),
    stats: () => connections.stats(),
    async end() {
      await hints.end()
      await Promise.all([endPresence(), connections.end(), ...childPools.map((db) => db.end())])
    },
    [inside]: { connections, hints, slots, waitMs },
  })
}

function tagged(run: (written: Written) => Promise<QueryResult>): Query {
  return <T extends readonly object[]>(
    strings: TemplateStringsArray,
    ...values: readonly unknown[]
  ) => new Statement<T>(strings, values, async (written) => rowsOf<T>(await run(written)))
}

function rowsOf<T extends readonly object[]>({ rows, rowCount }: QueryResult): Rows<T> {
  return Object.defineProperty(rows, 'count', { value: rowCount ?? 0 }) as unknown as Rows<T>
}

/** SQLSTATE for a prepared statement whose columns a migration has changed. */
const CACHED_PLAN = '0A000'

async function runAlone(connections: Connections, written: Written): Promise<QueryResult> {
  return onConnection(connections, (connection) => connection.query(prepared(written)))
}

/** Runs outside of a transaction; again if a statement was prepared before a migration. */
async function onConnection<T>(
  connections: Connections,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const connection = await connections.acquire()
    let isStale = false
    try {
      return await work(connection)
    } catch (error) {
      isStale = sqlStateOf(error) === CACHED_PLAN
      if (!isStale || tries === TRIES_MAX) throw error
    } finally {
      connection.release(isStale)
    }
  }
}

/**
 * Reads on one connection, without a transaction: what `read` asks for `together` goes to the database together, and
 * each statement sees what is committed when it runs.
 */
export async function readOnOneConnection<T>(
  db: Db,
  read: (query: Query) => Promise<T>,
): Promise<T> {
  return onConnection(db[inside].connections, async (connection) => {
    const statements = sentAtOnce(connection)
    try {
      return await read(tagged((written) => statements.run(written)))
    } finally {
      await statements.end()
    }
  })
}

/**
 * Reads everything in `read` as of one moment. Then `afterwards` reads what is committed by then, on the same connection and
 * together with the end of the snapshot.
 */
export async function readSnapshot<T, A>(
  db: Db,
  read: (query: Query) => Promise<T>,
  afterwards: (query: Query) => Promise<A>,
): Promise<[T, A]> {
  return onConnection(db[inside].connections, async (connection) => {
    const statements = sentAtOnce(connection)
    const query = tagged((written) => statements.run(written))
    try {
      const [, found] = await together([statements.run(BEGIN_SNAPSHOT), read(query)])
      // Sent at once, so before the statements of `afterwards`.
      const [, later] = await together([statements.run(COMMIT), afterwards(query)])
      return [found, later]
    } catch (error) {
      await statements.end()
      // Without effect after the commit. A connection that fails here is not lent again.
      await statements.rollBack().catch(() => {})
      throw error
    }
  })
}

const BEGIN_SNAPSHOT = { text: 'begin isolation level repeatable read read only', values: [] }
const BEGIN = { text: 'begin', values: [] }
const COMMIT = { text: 'commit', values: [] }

/** The class-40 states: nothing was kept, and the same transaction may succeed when run again. */
const RETRYABLE = new Set(['40001', '40P01', CACHED_PLAN])
const TRIES_MAX = 3

export interface TransactionOptions {
  /** Reads everything as of one moment, and allows no writes. */
  isSnapshot?: boolean
}

/**
 * Runs `work` in a READ COMMITTED transaction, and again after a deadlock or serialisation failure. `work` must therefore touch
 * nothing but the database.
 */
export async function inTransaction<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  { isSnapshot = false }: TransactionOptions = {},
): Promise<T> {
  const { connections, hints, slots, waitMs } = db[inside]
  const begin = isSnapshot ? BEGIN_SNAPSHOT : BEGIN
  const start = performance.now()
  for (let reserved = new Map<string, Release>(), failures = 0; ;) {
    try {
      return await runInTransaction(connections, { begin, work, hints, slots, reserved })
    } catch (error) {
      if (error instanceof SlotTaken) {
        const left = start + (error.waitMs ?? waitMs) - performance.now()
        reserved = new Map([[error.slot, await waitForSlot(slots, error.slot, left)]])
        continue
      }
      failures += 1
      if (failures === TRIES_MAX || !RETRYABLE.has(sqlStateOf(error) ?? '')) throw error
    }
  }
}

/** @throws {NoSlotError} when no slot was released in time */
async function waitForSlot(slots: FairQueue, name: string, waitMs: number): Promise<Release> {
  const releaseSlot = await slots.take(name, Math.max(waitMs, 0))
  if (releaseSlot === undefined) throw new NoSlotError(name)
  return releaseSlot
}

interface Attempt<T> {
  begin: Written
  work: (tx: Tx) => Promise<T>
  hints: Hints
  /** Callers of the same name wait here without a connection. */
  slots: FairQueue
  /** Slots reserved so far. All are released at the end. */
  reserved: Map<string, Release>
}

async function runInTransaction<T>(connections: Connections, attempt: Attempt<T>): Promise<T> {
  const { begin, work, hints, slots, reserved } = attempt
  let connection: Connection | undefined
  let isBroken = false
  try {
    connection = await connections.acquire()
    const statements = sentAtOnce(connection)
    const tx = Object.assign(
      tagged((written) => statements.run(written)),
      { [transaction]: controlsOf(statements, { slots, reserved }) },
    )
    try {
      // Sent with the first statement, whose answer comes after this one's.
      const begun = statements.run(begin)
      begun.catch(() => {})
      const result = await work(tx)
      await statements.end()
      await begun
      const { command } = await statements.commit()
      // PostgreSQL answers like this if a statement failed and `work` ignored that.
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
      hints.add(tx[transaction].hints)
      return result
    } catch (error) {
      await statements.end()
      isBroken = sqlStateOf(error) === CACHED_PLAN
      await statements.rollBack().catch(() => {
        isBroken = true
      })
      throw error
    }
  } finally {
    connection?.release(isBroken)
    for (const releaseSlot of reserved.values()) releaseSlot()
    reserved.clear()
  }
}

function controlsOf(
  statements: Statements,
  { slots, reserved }: Pick<Attempt<unknown>, 'slots' | 'reserved'>,
): Transaction {
  let isWithoutSlot = false
  return {
    hints: [],
    reserveSlot(name, patienceMs) {
      if (reserved.has(name)) return
      const releaseSlot = slots.tryTake(name)
      isWithoutSlot ||= releaseSlot === undefined
      if (releaseSlot === undefined) throw new SlotTaken(name, patienceMs)
      reserved.set(name, releaseSlot)
    },
    async commit() {
      // The transaction starts again: statements that ran without the lock after the slot must not be kept.
      if (!isWithoutSlot) await statements.commit()
    },
  }
}

/**
 * Sends the statements in one round trip. They run in this order: locks before what they protect.
 * Throws the first failure in this order; later ones may only follow from it.
 */
export async function together<T extends readonly unknown[]>(
  asked: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  const answers = await Promise.allSettled<unknown>(asked as readonly Promise<unknown>[])
  const values = answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  })
  return values as unknown as T
}

/**
 * Runs the last statements of a transaction: the commit is sent with them, so that its locks are held for one round trip less.
 * Nothing can undo them afterwards, unless one of them fails.
 */
export async function commitTogether<T extends readonly unknown[]>(
  tx: Tx,
  asked: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  const answers = together<T>(asked)
  // A statement is sent a microtask after it was made.
  queueMicrotask(() => {
    tx[transaction].commit().catch(() => {})
  })
  return answers
}

/**
 * Reserves one of the connection slots of this name. If none is free, the transaction rolls back, waits without a connection (for
 * `waitMs`, or as long as for a connection) and starts again. Call it before any other statement.
 */
export function reserveSlotFor(tx: Tx, name: string, waitMs?: number): void {
  tx[transaction].reserveSlot(name, waitMs)
}

/** Notifies the listeners of a channel soon after the commit; several equal hints may become one. */
export function hintAfterCommit(tx: Tx, hint: Hint): void {
  tx[transaction].hints.push(hint)
}

/** The SQLSTATE of a database error, or undefined for anything else. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined
}
