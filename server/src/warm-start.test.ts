import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'
import { type ServiceProcess, startServiceProcess } from './testing/service-process.ts'

let database: TestDatabase
let service: ServiceProcess | undefined

beforeAll(async () => {
  database = await createTestDatabase()
})

afterEach(async () => {
  await service?.stop()
  service = undefined
})

afterAll(async () => {
  await database?.drop()
})

test.each([
  ['api', { '': 4, '-urgent': 3, '-notifications': 3 }],
  ['worker', { '-jobs': 12 }],
] as const)(
  'a process with the role %s is ready once its connections are open',
  async (role, pools) => {
    service = await startServiceProcess({ databaseUrl: database.url, role })
    const sessions = await database.db<{ name: string; count: number }[]>`
      select application_name as name, count(*)::int as count
        from pg_stat_activity
       where datname = current_database() and application_name like 'interview-room-%'
       group by application_name
    `
    const opened = new Map(sessions.map(({ name, count }) => [name, count]))
    for (const [pool, count] of Object.entries(pools)) {
      expect(opened.get(`interview-room-${role}${pool}`)).toBe(count)
    }
  },
)
