import { type RepeatingJob, repeatingJob } from '../../platform/jobs/repeating-job.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { countDifferences, listKept, noteUnnamed } from '../../platform/storage/differences.ts'
import { findUnnamedObjects } from './find-unnamed-objects.ts'

const DAY_SEC = 24 * 60 * 60
/** An unforeseen failure leaves an object or two. More are the work of days, as after a restore of an older database. */
const MANY = 10

const HELD = 'ALARM: objects that no row names are kept: was an older database restored?'

/**
 * Looks once a day for objects that no row names, and deletes those that have been unnamed for 30 days. They stay where they are
 * until then, so that a row which is restored finds its object. If there are many, or one is newer than every named object, the
 * database is probably older than the storage: they are held until a person keeps or deletes them.
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
      const kept = new Set(await listKept(db))
      const areMany = unnamed.filter(({ key }) => !kept.has(key)).length > MANY
      const found = unnamed.map(({ key, isAhead }) => ({ key, isHeld: areMany || isAhead }))
      const deleted = await noteUnnamed(db, found, at)
      const counted = await countDifferences(db)
      const countOf = (kind: string) => counted.find((each) => each.kind === kind)?.count ?? 0
      if (countOf('held') > 0) log.error({ count: countOf('held') }, HELD)
      const waiting = countOf('unnamed')
      if (waiting > 0) log.warn({ count: waiting }, 'unnamed objects are deleted after 30 days')
      if (deleted > 0) log.warn({ count: deleted }, 'unnamed objects are deleted')
      return 'done'
    },
  })
}
