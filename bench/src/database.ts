import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '@interview-room/server/src/local/postgres/embedded-postgres.ts'

export interface Database {
  url: string
  /** A temporary folder that is deleted with the database. */
  folder: string
  stop: () => Promise<void>
}

/** Starts an empty embedded PostgreSQL for this run. */
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
    // As root, it keeps its files elsewhere if other users cannot reach the folder.
    await rm(postgres.folder, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  }

  /** PostgreSQL runs in its own process group, so this process has to end it. */
  function interrupted(): void {
    void stop().finally(() => process.exit(130))
  }

  process.once('SIGINT', interrupted)
  process.once('SIGTERM', interrupted)
  return { url: postgres.url, folder, stop }
}
