import type { Db } from '../../platform/db/db.ts'
import { insertRefusal, type Refusal } from './store.ts'

/** Whoever sends many costs a statement a second, and one row for each reason. */
const PAUSE_MS = 1_000
const PATH_MAX_LENGTH = 200

/** Notes that a notification was not taken, for the doctor. Nobody waits for it. */
export function noteRefusals(db: Db): (refusal: Refusal) => void {
  const notedAtMs = new Map<Refusal['reason'], number>()
  return ({ reason, path }) => {
    const nowMs = performance.now()
    if (nowMs - (notedAtMs.get(reason) ?? -Infinity) < PAUSE_MS) return
    notedAtMs.set(reason, nowMs)
    const refusal = { reason, path: path.slice(0, PATH_MAX_LENGTH).replaceAll('\0', '') }
    // Without a database the doctor has more to say.
    void insertRefusal(db, refusal).catch(() => {})
  }
}
