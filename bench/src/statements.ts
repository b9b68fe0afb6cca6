import { type Db, openDb } from '@interview-room/server/src/platform/db/db.ts'

export interface Statement {
  /** The text with `$1`, `$2` … in place of the values. */
  text: string
  values: readonly unknown[]
}

/**
 * Runs `work` on the database and records the statements that it sends. The floors are made of the service's own
 * statements this way, and follow when these change.
 */
export async function recordStatements(
  url: string,
  work: (db: Db) => Promise<unknown>,
): Promise<Statement[]> {
  const statements: Statement[] = []
  const db = openDb({
    url,
    poolSize: 1,
    applicationName: 'bench-statements',
    onStatement: ({ text, values = [] }) => statements.push({ text: text.trim(), values }),
  })
  try {
    await work(db)
  } finally {
    await db.end()
  }
  return statements
}

/** The statement with its values written into it, or the replacements of `instead`. */
export function written(
  { text, values }: Statement,
  instead: ReadonlyMap<unknown, string> = new Map(),
): string {
  return text.replaceAll(/\$(\d+)/g, (_placeholder, n: string) => {
    const value = values[Number(n) - 1]
    return instead.get(value) ?? literal(value)
  })
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  // Uses the basic format of ISO 8601, because pgbench reads a colon as the start of a variable.
  if (value instanceof Date) return `'${value.toISOString().replaceAll(/[-:]/g, '')}'`
  throw new Error(`no literal for a ${typeof value}`)
}
