import type { QueryConfig, QueryResult } from 'pg'
import type { Connection } from './connections.ts'
import type { Written } from './statement.ts'

const NAMES_MAX = 2_000
const names = new Map<string, string>()
/** Commands of a transaction. Other statements without values may not be preparable, and they are rare. */
const COMMANDS = /^(?:begin|commit|rollback)\b/

/** Names a statement, so that PostgreSQL need not parse it twice on a connection. */
export function prepared({ text, values }: Written): QueryConfig {
  let name = names.get(text)
  if (name === undefined) {
    const isPreparable = values.length > 0 || COMMANDS.test(text)
    if (names.size >= NAMES_MAX || !isPreparable) return { text, values }
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
      committing ??= connection.query(prepared({ text: 'commit', values: [] }))
      return committing
    },
    /** Rolls back unless the commit has ended the transaction. A commit does not run after a failed statement of its batch. */
    async rollBack(): Promise<void> {
      if (await isDone(committing)) return
      await connection.query(prepared({ text: 'rollback', values: [] }))
    },
    async end(): Promise<void> {
      isOver = true
      await last
    },
  }
}

/** True if it has succeeded. */
export async function isDone(work: Promise<unknown> | undefined): Promise<boolean> {
  try {
    await work
    return work !== undefined
  } catch {
    return false
  }
}
