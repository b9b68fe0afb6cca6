import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Db, openDb } from '@interview-room/server/src/platform/db/db.ts'

/** One connection to the database of a service. To be ended. */
export function openServiceDb(dataDir: string): Db {
  const runtime = readFileSync(path.join(dataDir, 'runtime.json'), 'utf8')
  const { database_url: url } = JSON.parse(runtime) as { database_url: string }
  return openDb({ url, poolSize: 1, applicationName: 'end to end' })
}

/** The same for as long as `work` lasts. */
export async function withServiceDb<T>(dataDir: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openServiceDb(dataDir)
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}
