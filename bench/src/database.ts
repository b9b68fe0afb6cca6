import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '@interview-room/server/src/local/postgres/embedded-postgres.ts'

export interface Database {
  url: string
  /** A folder that goes away with the database. */
  folder: string
  stop: () => Promise<void>
}

/** An embedded PostgreSQL of this run's own, with nothing in it. */
export async function startDatabase({ isDurable }: { isDurable: boolean }): Promise<Database> {
  const folder = await mkdtemp(path.join(tmpdir(), 'interview-room-bench-'))
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    isDurable,
    onProblem: (message) => console.error(message),
  })

  async function stop(): Promise<void> {
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', interrupted)
    await postgres.stop()
    // Run by root it keeps its files elsewhere when the way to the folder is closed to others.
    await rm(postgres.folder, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  }

  /** PostgreSQL is in a process group of its own: nobody else ends it. */
  function interrupted(): void {
    void stop().finally(() => process.exit(130))
  }

  process.once('SIGINT', interrupted)
  process.once('SIGTERM', interrupted)
  return { url: postgres.url, folder, stop }
}
