import { type Clock, systemClock } from '../lib/clock.ts'
import type { Db } from './db.ts'

/** The database's time, read off this machine's clock: every process decides by the same one. */
export interface DatabaseClock {
  now: Clock
  /** Looks how far this machine's clock is off. Throws when the database cannot be asked. */
  measure(db: Db): Promise<void>
}

export function createDatabaseClock(system: Clock = systemClock): DatabaseClock {
  let offsetMs = 0
  return {
    now: () => new Date(system().getTime() + offsetMs),
    async measure(db) {
      const beforeMs = system().getTime()
      const [row] = await db<{ now: Date }[]>`select clock_timestamp() as now`
      const afterMs = system().getTime()
      if (row === undefined) throw new Error('the database returned no time')
      const off = row.now.getTime() - (beforeMs + afterMs) / 2
      // The database may have read its clock at any moment in between.
      const isSure = Math.abs(off) > Math.abs(afterMs - beforeMs) / 2
      offsetMs = isSure ? Math.round(off) : 0
    },
  }
}
