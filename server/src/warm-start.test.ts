import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'
import { type ServiceProcess, startServiceProcess } from './testing/service-process.ts'

let database: TestDatabase
let service: ServiceProcess | undefined

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(async () => {
  await service?.stop()
  await database?.drop()
})

test('a process serves with the connections of requests open, which nobody then waits for', async () => {
  service = await startServiceProcess({ databaseUrl: database.url, role: 'api' })
  const sessions = await database.db<{ name: string; count: number }[]>`
    select application_name as name, count(*)::int as count
      from pg_stat_activity
     where datname = current_database() and application_name like 'interview-room-api%'
     group by application_name
  `
  const opened = new Map(sessions.map(({ name, count }) => [name, count]))
  expect(opened.get('interview-room-api')).toBe(4)
  expect(opened.get('interview-room-api-urgent')).toBe(3)
})
