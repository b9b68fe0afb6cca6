import { type Clock, systemClock } from '../lib/clock.ts'
import type { Db } from './db.ts'

/** The database's time, carried on by this machine: every process decides by the same one. */
export interface DatabaseClock {
  now: Clock
  /** Looks how far it is off. Throws when the database cannot be asked. */
  measure(db: Db): Promise<void>
}

/**
 * Begins with the machine's time, and needs that no more: somebody may set it while the service runs, and for a
 * minute of a year ahead every recording would be too old.
 *
 * @param elapsedMs Milliseconds since any moment, which nobody can set.
 */
export function createDatabaseClock(
  system: Clock = systemClock,
  elapsedMs: () => number = () => performance.now(),
): DatabaseClock {
  /** The time at which nothing had elapsed. */
  let originMs = system().getTime() - elapsedMs()
  return {
    now: () => new Date(originMs + elapsedMs()),
    async measure(db) {
      const askedMs = elapsedMs()
      const [row] = await db<{ now: Date }[]>`select clock_timestamp() as now`
      const answeredMs = elapsedMs()
      if (row === undefined) throw new Error('the database returned no time')
      const offMs = row.now.getTime() - (originMs + (askedMs + answeredMs) / 2)
      // The database may have read its clock at any moment in between.
      if (Math.abs(offMs) > (answeredMs - askedMs) / 2) originMs += offMs
    },
  }
}
