import { randomUUID } from 'node:crypto'
import { FEED_ONLY_DATA, type FeedOnlyType } from '@interview-room/contract/retention.ts'
import { Value } from 'typebox/value'
import { inject } from 'vitest'
import { type Db, identifier, openDb } from '../platform/db/db.ts'
import { judgeWebhook } from './answer-oracle.ts'

export const TEMPLATE = 'interview_room_template'

export interface TestDatabase {
  db: Db
  /** Connections of their own, as the service has them. */
  urgentDb: Db
  url: string
  drop(): Promise<void>
}

/** A test must fail by its findings, not because the machine is busy. */
export const TEST_TIMEOUTS = {
  statementTimeoutMs: 50_000,
  lockTimeoutMs: 50_000,
  idleInTransactionMs: 50_000,
  acquireTimeoutMs: 50_000,
}

/** An empty, migrated database of its own; one per test file. Or a copy of another one, whose connections are ended. */
export async function createTestDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = openDb({
    url: serverUrl,
    poolSize: 1,
    applicationName: 'tests',
    ...TEST_TIMEOUTS,
  })
  // Two copies of one template at the same moment refuse each other; the lock puts them in a row.
  await admin`select pg_advisory_lock(1)`
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${template}`
  await admin`create database ${identifier(name)} template ${identifier(template)}`
  await admin`select pg_advisory_unlock(1)`
  await admin.end()

  const url = serverUrl.replace(/\/postgres$/, `/${name}`)
  const db = openDb({ url, poolSize: 8, applicationName: 'tests', ...TEST_TIMEOUTS })
  const urgentDb = db.beside({ name: 'urgent', poolSize: 3 })
  return {
    db,
    urgentDb,
    url,
    async drop() {
      const published = await db<{ body: string }[]>`
        select body from webhook_events where not is_feed_only
      `
      const onlyRead = await db<{ body: string }[]>`
        select body from webhook_events where is_feed_only
      `
      await db.end()
      const again = openDb({
        url: serverUrl,
        poolSize: 1,
        applicationName: 'tests',
        ...TEST_TIMEOUTS,
      })
      await again`drop database if exists ${identifier(name)} with (force)`
      await again.end()
      refuseWrongWebhooks(published)
      refuseWrongFeedEvents(onlyRead)
    },
  }
}

/** Every webhook that a test made the service send must match the published description. */
function refuseWrongWebhooks(published: readonly { body: string }[]): void {
  const wrong = published.flatMap(({ body }) => {
    const problem = judgeWebhook(body)
    return problem === undefined ? [] : [`${problem}: ${body}`]
  })
  if (wrong.length === 0) return
  throw new Error(`webhooks that are not as docs/openapi.json describes them:\n${wrong.join('\n')}`)
}

/** The same for events that only the feed has, by the contract. */
function refuseWrongFeedEvents(recorded: readonly { body: string }[]): void {
  const wrong = recorded.filter(({ body }) => {
    const { type, data } = JSON.parse(body) as { type: FeedOnlyType; data: unknown }
    return !Object.hasOwn(FEED_ONLY_DATA, type) || !Value.Check(FEED_ONLY_DATA[type], data)
  })
  if (wrong.length === 0) return
  throw new Error(
    `events of the feed that are not as the contract has them: ${JSON.stringify(wrong)}`,
  )
}
