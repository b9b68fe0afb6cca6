import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { beginAlone, claimJobs } from './claim-store.ts'
import { enqueue } from './enqueue.ts'
import { type ClaimedJob, finishJob, rearmJob } from './store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db`delete from jobs`
})

const KIND = 'make'

/** Orders one after the other, named `a1` by tenant `a`. */
async function order(...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await enqueue(database.db, { kind: KIND, key, payload: { tenantId: key.slice(0, 1) } })
  }
}

const claim = (free: number, areInTurns = true): Promise<ClaimedJob[]> =>
  claimJobs(database.db, { places: [{ kinds: [KIND], free, areInTurns }], leaseSec: 30 })

const keysOf = (jobs: readonly ClaimedJob[]): string[] => jobs.map(({ key }) => key).toSorted()

describe('places in which tenants take turns', () => {
  test('go to one job of each, however many another has ordered before', async () => {
    await order('a1', 'a2', 'a3', 'b1', 'b2')
    const first = await claim(2)
    expect(keysOf(first)).toEqual(['a1', 'b1'])
    for (const job of first) await finishJob(database.db, job)
    expect(keysOf(await claim(2))).toEqual(['a2', 'b2'])
  })

  test('count a tenant’s running jobs in all processes', async () => {
    await order('a1', 'a2', 'a3')
    expect(keysOf(await claim(2))).toEqual(['a1', 'a2'])
    await order('b1', 'b2')
    expect(keysOf(await claim(1))).toEqual(['b1'])
    expect(keysOf(await claim(1))).toEqual(['b2'])
    expect(keysOf(await claim(1))).toEqual(['a3'])
  })

  test('all go to one tenant if no other one waits', async () => {
    await order('a1', 'a2', 'a3')
    expect(keysOf(await claim(3))).toEqual(['a1', 'a2', 'a3'])
  })

  test('take each job once, however many claim at the same time', async () => {
    await order(...['a', 'b', 'c'].flatMap((tenant) => [1, 2, 3, 4].map((n) => `${tenant}${n}`)))
    const claimed = await Promise.all(Array.from({ length: 6 }, () => claim(2)))
    const keys = keysOf(claimed.flat())
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.length).toBeGreaterThanOrEqual(2)
    while (keys.length < 12) {
      const more = await claim(2)
      expect(more).not.toEqual([])
      keys.push(...keysOf(more))
    }
    expect(new Set(keys).size).toBe(12)
  })
})

test('other places go to those that were due first', async () => {
  await order('a1', 'a2', 'b1')
  expect(keysOf(await claim(2, false))).toEqual(['a1', 'a2'])
})

describe('isolated jobs', () => {
  test('are reserved one at a time over all processes, beside other jobs, and begun by one process', async () => {
    await order('a1', 'a2', 'b1')
    await database.db`update jobs set deaths = 2 where key <> 'b1'`
    const first = await claim(3, false)
    expect(keysOf(first)).toEqual(['a1', 'b1'])
    expect(await claim(3, false)).toEqual([])
    const [reserved] = await database.db<{ id: bigint }[]>`select id from jobs where key = 'a1'`
    if (reserved === undefined) throw new Error('no job')
    const begun = await Promise.all([1, 2].map(() => beginAlone(database.db, reserved, 30)))
    expect(begun.filter((job) => job !== undefined)).toMatchObject([{ key: 'a1', attempt: 1 }])
  })

  test('that ended well are claimed like others the next time', async () => {
    await order('a1')
    await database.db`update jobs set deaths = 2`
    const [reserved] = await database.db<{ id: bigint }[]>`select id from jobs`
    const begun = reserved && (await beginAlone(database.db, reserved, 30))
    if (begun === undefined) throw new Error('not begun')
    await rearmJob(database.db, begun, { due: 0, error: null })
    expect(await claim(1, false)).toMatchObject([{ key: 'a1', deaths: 0, isReserved: false }])
  })
})
