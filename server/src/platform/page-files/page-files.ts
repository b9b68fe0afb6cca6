import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { inTransaction } from '../db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { deleteOldPageFiles, insertPageFile, touchPageFiles } from './store.ts'

export { findPageFile } from './store.ts'

/** Longer than any page stays open. */
const KEPT_DAYS = 30
/** The compressed copies lie beside each file. */
const COMPRESSED = /\.(br|gz)$/

/**
 * Keeps the files that this process's pages load where processes of every release find them: while several releases
 * run, a page comes from one of them and its scripts from another. Their names change with their content. Folders of
 * libraries, which pages load later and only for some tools, are not kept.
 */
export async function offerPageFiles({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<void> {
  const folder = path.join(config.pagesDir, 'assets')
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.flatMap((entry) =>
    entry.isFile() && !COMPRESSED.test(entry.name) ? [entry.name] : [],
  )
  const kept = await touchPageFiles(db, names)
  const missing = names.filter((name) => !kept.has(name))
  const files = await Promise.all(
    missing.map(async (name) => ({ name, content: await readFile(path.join(folder, name)) })),
  )
  await inTransaction(db, async (tx) => {
    // Inserted in one order, so that two processes of a release do not wait for each other.
    for (const file of files.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      await insertPageFile(tx, file)
    }
  })
  await deleteOldPageFiles(db, KEPT_DAYS)
}
