import { afterAll, beforeAll } from 'vitest'
import { type Db, openDb } from '../platform/db/db.ts'
import type { ControlPlane } from './control-plane.ts'
import { TEST_TIMEOUTS } from './database.ts'

export interface RoundTripCounter {
  db: Db
  /** The statements that `work` sends: one list for each round trip. */
  of(work: () => Promise<unknown>): Promise<string[][]>
}

/** A pool that counts the round trips to the database. */
export function useRoundTripCounter(plane: ControlPlane): RoundTripCounter {
  let trips: string[][] = []
  const counted = {
    async of(work) {
      trips = []
      await work()
      return trips
    },
  } as RoundTripCounter

  beforeAll(() => {
    counted.db = openDb({
      url: plane.database.url,
      poolSize: 1,
      applicationName: 'tests',
      ...TEST_TIMEOUTS,
      onStatement({ text }, isBehind) {
        // Hints follow after a commit, and nobody waits for them.
        if (text.includes('pg_notify(channel, payload)')) return
        if (isBehind) trips.at(-1)?.push(text.trim())
        else trips.push([text.trim()])
      },
    })
  })
  afterAll(() => counted.db.end())
  return counted
}
