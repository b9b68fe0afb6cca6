import { type Db, identifier, raw } from '../platform/db/db.ts'

/** This database, but every statement fails. Counts the statements. */
export function failingDatabase(db: Db, failure: Error): { db: Db; statements: () => number } {
  let statements = 0
  const failing = new Proxy(db, {
    apply() {
      statements += 1
      const failed = Promise.reject(failure)
      // A part of another statement is awaited by nobody.
      failed.catch(() => {})
      return failed
    },
  })
  return { db: failing, statements: () => statements }
}

interface Rows {
  table: string
  column: string
  /** A UUID. */
  id: string
}

/** Makes every change of these rows fail until the returned function is called. */
export async function failChangesOf(
  db: Db,
  { table, column, id }: Rows,
): Promise<() => Promise<void>> {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new Error(`no UUID: ${id}`)
  const name = identifier(`fails_${table}_${id}`)
  const changed = raw(`to_jsonb(coalesce(new, old)) ->> '${column}' = '${id}'`)
  await db`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      if ${changed} then raise exception 'this row cannot be changed'; end if;
      return coalesce(new, old);
    end $$
  `
  await db`
    create trigger ${name} before insert or update or delete on ${identifier(table)}
       for each row execute function ${name}()
  `
  return async () => {
    await db`drop function if exists ${name} cascade`
  }
}
