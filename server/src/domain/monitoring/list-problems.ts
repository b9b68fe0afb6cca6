import type { Deps } from '../../platform/ports/deps.ts'
import {
  type DeliveryState,
  type JobState,
  type ListedDelivery,
  type ListedEndpoint,
  type ListedJob,
  listDeliveries,
  listJobs,
  listUnhealthyEndpoints,
} from './problem-store.ts'

export { DELIVERY_STATES, JOB_STATES } from './problem-store.ts'

export interface Problems {
  jobs(state: JobState, limit: number): Promise<ListedJob[]>
  deliveries(state: DeliveryState, limit: number): Promise<ListedDelivery[]>
  endpoints(limit: number): Promise<ListedEndpoint[]>
}

/** Waiting, failing and abandoned work of all tenants. */
export function problemsOf({ db }: Pick<Deps, 'db'>): Problems {
  return {
    jobs: (state, limit) => listJobs(db, { state, limit }),
    deliveries: (state, limit) => listDeliveries(db, { state, limit }),
    endpoints: (limit) => listUnhealthyEndpoints(db, limit),
  }
}
