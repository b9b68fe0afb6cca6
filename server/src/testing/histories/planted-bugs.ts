import path from 'node:path'

/** A change of a source of the service that the histories must notice. */
export interface PlantedBug {
  file: string
  from: string
  to: string
}

export const PLANTED_BUGS = {
  'a lost outbox row': {
    file: 'platform/webhooks/delivery-store.ts',
    from: "where endpoint.state <> 'disabled'\n",
    // The second change of each recording is forgotten.
    to: "where endpoint.state <> 'disabled' and ${event.dedupeKey}::text not like '%:v2'\n",
    seed: 17,
  },
  'a missing lock': {
    file: 'domain/booking/quotas.ts',
    from: 'await lockByName(tx, `room-quota:${tenantId}`)',
    to: '',
    seed: 638,
  },
  'a swapped guard': {
    file: 'domain/booking/session.ts',
    from: 'now < session.startsAt',
    to: 'now > session.startsAt',
    seed: 8,
  },
} as const satisfies Record<string, PlantedBug & { seed: number }>

/** The environment of a process with the bug. The sources on the disk stay as they are. */
export function planted(bug: PlantedBug): Record<string, string> {
  const hook = path.join(import.meta.dirname, 'plant-bug.ts')
  return { NODE_OPTIONS: `--import=${hook}`, PLANTED_BUG: JSON.stringify(bug) }
}
