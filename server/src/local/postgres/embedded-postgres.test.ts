import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { waitFor } from '../../testing/wait-for.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { findPostmaster } from './postmaster-pid.ts'

let made: string
let dataDir: string
let server: EmbeddedPostgres | undefined
let problems: string[]

// Creating a cluster takes longer than anything else here, so it is created once and copied.
beforeAll(async () => {
  made = await mkdtemp(path.join(tmpdir(), 'interview-room-postgres-'))
  await (await startEmbeddedPostgres({ dataDir: made })).stop()
})

afterAll(() => rm(made, { recursive: true, force: true }))

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'interview-room-postgres-'))
  // Copied with its owner, which is another user if this process is root.
  await promisify(execFile)('cp', ['-a', `${made}/.`, dataDir])
  problems = []
})

afterEach(async () => {
  await server?.stop()
  server = undefined
  await rm(dataDir, { recursive: true, force: true })
})

const start = async (): Promise<EmbeddedPostgres> => {
  server = await startEmbeddedPostgres({ dataDir, onProblem: (problem) => problems.push(problem) })
  return server
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const answers = (url: string) =>
  ask(url, 'select 1').then(
    () => true,
    () => false,
  )

function pidOf({ folder }: EmbeddedPostgres): number {
  const found = findPostmaster(folder)
  if (found === undefined) throw new Error('no server')
  return found.pid
}

/** A service that starts the database and is killed without a chance to stop it. */
async function startAndKillOwner(): Promise<void> {
  const module = path.join(import.meta.dirname, 'embedded-postgres.ts')
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)})
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} })
    console.log('started')
    setInterval(() => {}, 1000)
  `
  const owner: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (owner.stdout !== null) await once(owner.stdout, 'data')
  const exited = once(owner, 'exit')
  owner.kill('SIGKILL')
  await exited
}

describe('the embedded database', () => {
  test('that is killed is started again at the same address, with every committed row', async () => {
    const { url, folder } = await start()
    await ask(url, 'create table kept (n int)')
    await ask(url, 'insert into kept values (1)')
    const pid = pidOf({ ...server, folder } as EmbeddedPostgres)
    process.kill(pid, 'SIGKILL')
    await waitFor(async () => findPostmaster(folder)?.pid !== pid && answers(url))
    expect(await ask(url, 'select n from kept')).toEqual([{ n: 1 }])
    expect(problems[0]).toContain('PostgreSQL ended unexpectedly')
  })

  test('of a killed service is taken over as it runs, and looked after from then on', async () => {
    await startAndKillOwner()
    const adopted = await start()
    expect(adopted.isAdopted).toBe(true)
    const pid = pidOf(adopted)
    process.kill(pid, 'SIGKILL')
    await waitFor(async () => findPostmaster(adopted.folder)?.pid !== pid && answers(adopted.url))
  })

  test('starts although its lock file names a running process that is not a database', async () => {
    const { folder } = await start()
    process.kill(pidOf(server as EmbeddedPostgres), 'SIGKILL')
    await server?.stop()
    await writeFile(
      path.join(folder, 'postmaster.pid'),
      `${process.pid}\n${folder}\n1\n5432\n\n127.0.0.1\n1 1\nready\n`,
    )
    expect(await answers((await start()).url)).toBe(true)
  })

  test('that is stopped leaves no process', async () => {
    const { folder } = await start()
    await server?.stop()
    expect(findPostmaster(folder)).toBeUndefined()
  })
})
