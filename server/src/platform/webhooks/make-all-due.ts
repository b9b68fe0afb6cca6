import { inTransaction } from '../db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { makeSomeDue } from './endpoint-store.ts'

/** Deliveries that one transaction changes. */
const PAGE = 500

/** Makes all waiting deliveries of the endpoint due immediately. It works page by page, because months of events may wait there. */
export async function makeAllDue({ db }: Pick<Deps, 'db'>, endpointId: string): Promise<void> {
  for (let page = PAGE; page === PAGE;) {
    page = await inTransaction(db, (tx) => makeSomeDue(tx, { endpointId, limit: PAGE }))
  }
}
