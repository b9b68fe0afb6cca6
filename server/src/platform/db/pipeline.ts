import type { QueryConfig, QueryResult } from 'pg'
import type { Connection } from './connections.ts'
import type { Written } from './statement.ts'

const NAMES_MAX = 2_000
const names = new Map<string, string>()

/** Names a statement, so that PostgreSQL need not parse it twice on a connection. */
export function prepared({ text, values }: Written): QueryConfig {
  let name = names.get(text)
  if (name === undefined) {
    // A statement without values may be a command that cannot be prepared, and it is cheap to parse.
    if (names.size >= NAMES_MAX || values.length === 0) return { text, values }
    name = `s${names.size}`
    names.set(text, name)
  }
  return { name, text, values }
}

export type Statements = ReturnType<typeof sentAtOnce>

/**
 * Runs statements one after another, in the order of the calls. Statements of the same moment are sent together. Statements after
 * the end are refused.
 */
export function sentAtOnce(connection: Connection) {
  let last: Promise<unknown> = Promise.resolve()
  let isOver = false
  let committing: Promise<QueryResult> | undefined

  function run(written: Written): Promise<QueryResult> {
    if (isOver) return Promise.reject(new Error('the transaction is over'))
    const running = connection.query(prepared(written))
    // The last one is answered last, because answers keep the order.
    last = running.catch(() => {})
    return running
  }

  return {
    run,
    /** Commits after all earlier statements. Nothing may follow. */
    commit(): Promise<QueryResult> {
      isOver = true
      committing ??= connection.query({ text: 'commit' })
      return committing
    },
    /** Ends the transaction. If a commit was sent, that has ended it already, whatever its answer. */
    async rollBack(): Promise<void> {
      if (committing === undefined) await connection.query({ text: 'rollback' })
      else await committing.catch(() => {})
    },
    async end(): Promise<void> {
      isOver = true
      await last
    },
  }
}
