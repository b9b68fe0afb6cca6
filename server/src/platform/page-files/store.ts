import type { Query, Tx } from '../db/db.ts'

export interface PageFile {
  name: string
  content: Buffer
}

/** Notes that a process has these files. Returns those that are stored already. */
export async function touchPageFiles(
  query: Query,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await query<{ name: string }[]>`
    update page_files set offered_at = now() where name = any(${[...names]}) returning name
  `
  return new Set(rows.map(({ name }) => name))
}

/** Stores a file. The build names it by its content, so the same name means the same file. */
export async function insertPageFile(tx: Tx, { name, content }: PageFile): Promise<void> {
  await tx`
    insert into page_files (name, content) values (${name}, ${content})
    on conflict (name) do update set offered_at = now()
  `
}

/** Deletes the files that no process has offered for this many days. */
export async function deleteOldPageFiles(query: Query, keptDays: number): Promise<void> {
  await query`
    delete from page_files where offered_at < now() - make_interval(days => ${keptDays})
  `
}

export async function findPageFile(query: Query, name: string): Promise<Buffer | undefined> {
  const [row] = await query<{ content: Buffer }[]>`
    select content from page_files where name = ${name}
  `
  return row?.content
}
