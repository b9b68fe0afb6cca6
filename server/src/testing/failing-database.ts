import type { Db } from '../platform/db/db.ts'

/** This database, of which every statement fails; counts them. */
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
