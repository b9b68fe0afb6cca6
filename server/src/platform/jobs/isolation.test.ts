import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { enqueue, retryDiscarded } from './enqueue.ts'

const PROGRAM = path.resolve(import.meta.dirname, '../../testing/mortal-worker.ts')

let database: TestDatabase
let child: ChildProcess | undefined

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db`delete from jobs`
})
afterEach(killChild)

async function killChild(): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

interface Begun {
  kind: string
  key: string
  /** Keys of the endless jobs that ran in the process at that moment. */
  beside: string[]
}

/** Starts a worker process; returns what began in it. */
function startMortal(): { process: ChildProcess; begun: Begun[] } {
  const begun: Begun[] = []
  const started = spawn(process.execPath, [PROGRAM, database.url, '200'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = started
  let text = ''
  started.stdout.on('data', (bytes: Buffer) => {
    text += bytes.toString()
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    begun.push(...lines.map((line) => JSON.parse(line) as Begun))
  })
  return { process: started, begun }
}

async function jobRow(key: string) {
  const [row] = await database.db`select * from jobs where key = ${key}`
  return row
}

/** Lets the leases of a dead process end. */
async function endLeases(): Promise<void> {
  await database.db`update jobs set lease_until = clock_timestamp() where lease_until is not null`
}

/** Lets the pauses of isolated jobs end. */
async function endPauses(): Promise<void> {
  await database.db`
    update jobs set due_at = clock_timestamp()
     where deaths >= 2 and state = 'due' and lease_until is null and due_at > clock_timestamp()
  `
}

/** Starts one worker after the other until the fatal job is given up; returns what it ran beside each time. */
async function workUntilGivenUp(): Promise<string[][]> {
  const ran: string[][] = []
  for (;;) {
    await endLeases()
    const { process: started, begun } = startMortal()
    let hasEnded = false
    started.once('close', () => (hasEnded = true))
    await waitFor(async () => {
      await endPauses()
      return hasEnded || (await jobRow('poison'))?.['state'] === 'discarded'
    })
    ran.push(...begun.filter(({ kind }) => kind === 'fatal').map(({ beside }) => beside))
    if (!hasEnded) return ran
  }
}

describe('a job during which its process dies', () => {
  test('runs alone after the second death, and is given up after three more', async () => {
    for (const key of ['a', 'b']) await enqueue(database.db, { kind: 'endless', key })
    await enqueue(database.db, { kind: 'fatal', key: 'poison' })
    expect(await workUntilGivenUp()).toEqual([['a', 'b'], ['a', 'b'], [], [], []])
    expect(await jobRow('poison')).toMatchObject({
      state: 'discarded',
      last_error: 'its process died 5 times, at last while nothing else ran in it',
    })
    // The innocent jobs run on in the last worker.
    await waitFor(async () => {
      const running = await database.db`
        select 1 from jobs where kind = 'endless' and state = 'due' and deaths < 2
           and lease_token is not null and lease_until > clock_timestamp()
      `
      return running.length === 2
    })
  })

  test('stays given up when it is requested again, until an operator retries it', async () => {
    await enqueue(database.db, { kind: 'fatal', key: 'poison' })
    await database.db`update jobs set state = 'discarded', deaths = 5`
    await enqueue(database.db, { kind: 'fatal', key: 'poison' })
    expect(await jobRow('poison')).toMatchObject({ state: 'discarded' })
    await retryDiscarded(database.db, { kind: 'fatal', key: 'poison' })
    expect(await workUntilGivenUp()).toHaveLength(3)
  })

  test('keeps its pause when it is requested again', async () => {
    await enqueue(database.db, { kind: 'fatal', key: 'poison' })
    await database.db`update jobs set deaths = 2, due_at = clock_timestamp() + interval '1 minute'`
    await enqueue(database.db, { kind: 'fatal', key: 'poison' })
    const waiting = await database.db`select 1 from jobs where due_at > clock_timestamp()`
    expect(waiting).toHaveLength(1)
  })
})
