import { type Db, identifier } from '../platform/db/db.ts'

/** Finds these texts in the tables. Every column of every table is read, including bytes. */
export async function findInDatabase(db: Db, texts: readonly string[]): Promise<string[]> {
  const tables = await db<{ name: string }[]>`
    select c.relname as name
      from pg_class c
     where c.relkind in ('r', 'p', 'm') and c.relnamespace = 'public'::regnamespace
  `
  const found: string[] = []
  for (const { name } of tables) {
    // The text form of a row has bytes as hexadecimal digits.
    const rows = await db<{ text: string }[]>`
      select needle as text from unnest(${[...texts]}::text[]) needle
       where exists (select 1 from ${identifier(name)} hay
                      where position(needle in hay::text) > 0
                         or position(encode(convert_to(needle, 'UTF8'), 'hex') in hay::text) > 0)
    `
    found.push(...rows.map(({ text }) => `${name}: ${text}`))
  }
  return found
}
