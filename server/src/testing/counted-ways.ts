import { afterAll, beforeAll } from 'vitest'
import { type Db, openDb } from '../platform/db/db.ts'
import type { ControlPlane } from './control-plane.ts'
import { TEST_TIMEOUTS } from './database.ts'

export interface CountedWays {
  db: Db
  /** What `work` sends: one list for each way to the database and back. */
  of(work: () => Promise<unknown>): Promise<string[][]>
}

/** A connection that counts how often somebody waits for it. */
export function useCountedWays(plane: ControlPlane): CountedWays {
  let ways: string[][] = []
  const counted = {
    async of(work) {
      ways = []
      await work()
      return ways
    },
  } as CountedWays

  beforeAll(() => {
    counted.db = openDb({
      url: plane.database.url,
      poolSize: 1,
      applicationName: 'tests',
      ...TEST_TIMEOUTS,
      onStatement({ text }, isBehind) {
        if (isBehind) ways.at(-1)?.push(text.trim())
        else ways.push([text.trim()])
      },
    })
  })
  afterAll(() => counted.db.end())
  return counted
}
