import { type Db, openDb } from '@interview-room/server/src/platform/db/db.ts'

export interface Statement {
  /** The text with `$1`, `$2` … in place of the values. */
  text: string
  values: readonly unknown[]
}

/**
 * Runs `work` on the database and records the statements that it sends, so that what is measured follows when these
 * change.
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

/** The statement with its values written into it. */
export function written({ text, values }: Statement): string {
  return text.replaceAll(/\$(\d+)/g, (_placeholder, n: string) => literal(values[Number(n) - 1]))
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (value instanceof Date) return `'${value.toISOString()}'`
  throw new Error(`no literal for a ${typeof value}`)
}
