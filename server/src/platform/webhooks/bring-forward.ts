import type { Query } from '../db/db.ts'
import { makeOverplannedDue, makeProbesDue } from './overplanned-store.ts'
import { LONGEST_PAUSES_SEC, PROBE_MAX_SEC, RETRY_AFTER_MAX_SEC } from './schedule.ts'

/** Processes estimate the time of the database, and may be off by a few seconds. */
const SLACK_SEC = 60

/**
 * Makes deliveries due that are planned for later than the pause after their last attempt allows, as after the clock of the
 * database was set back; endpoints are probed again, too. Returns the number of deliveries.
 */
export async function bringDeliveriesForward(query: Query): Promise<number> {
  await makeProbesDue(query, PROBE_MAX_SEC + SLACK_SEC)
  return makeOverplannedDue(query, {
    pausesSec: LONGEST_PAUSES_SEC,
    askedSec: RETRY_AFTER_MAX_SEC,
    slackSec: SLACK_SEC,
  })
}
