import { type RepeatingJob, repeatingJob } from '../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { noteUnnamed } from '../../platform/storage/differences.ts'
import { findUnnamedObjects } from './find-unnamed-objects.ts'

const DAY_SEC = 24 * 60 * 60
/** An unforeseen failure leaves an object or two. More are the work of days, as after a restore of an older database. */
const MANY = 10

const HELD = 'ALARM: objects that no row names are kept: was an older database restored?'

/**
 * Looks once a day for objects that no row names, and deletes those that have been unnamed for 30 days. They stay where they are
 * until then, so that a row which is restored finds its object. If there are many, or one is newer than every named object, the
 * database is probably older than the storage: they are held until a person deletes them.
 */
export function sweepObjectsJob(deps: Pick<Deps, 'db' | 'storage' | 'clock'>): RepeatingJob {
  const { db, clock } = deps
  return repeatingJob({
    kind: 'sweep-objects',
    everySec: DAY_SEC,
    clock,
    async run({ signal, log }) {
      const at = clock()
      const unnamed = await findUnnamedObjects(deps, signal)
      const areMany = unnamed.length > MANY
      const found = unnamed.map(({ key, isAhead }) => ({ key, isHeld: areMany || isAhead }))
      const deleted = await noteUnnamed(db, found, at)
      const held = found.filter(({ isHeld }) => isHeld).length
      if (held > 0) log.error({ count: held }, HELD)
      const waiting = found.length - held - deleted
      if (waiting > 0) log.warn({ count: waiting }, 'unnamed objects are deleted after 30 days')
      if (deleted > 0) log.warn({ count: deleted }, 'unnamed objects are deleted')
      return 'done'
    },
  })
}
