import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { cpuSecOfChildren } from './process-usage.ts'

const run = promisify(execFile)

/** The version, such as `pgbench (PostgreSQL) 18.1`. Undefined if pgbench is not installed. */
export async function findPgbench(): Promise<string | undefined> {
  return run('pgbench', ['--version']).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  )
}

export interface PgbenchRun {
  url: string
  /** The folder that the script file is written to. */
  folder: string
  script: string
  variables: Record<string, number>
  connections: number
  seconds: number
}

/** Runs the script over and over on every connection, with prepared statements. */
export async function runPgbench({
  url,
  folder,
  script,
  variables,
  connections,
  seconds,
}: PgbenchRun): Promise<{ perSec: number; cpuMs: number }> {
  const file = path.join(folder, 'script.sql')
  await writeFile(file, script)
  const { hostname, port, username, password, pathname } = new URL(url)
  const cpuBefore = cpuSecOfChildren()
  const { stdout } = await run(
    'pgbench',
    [
      '--no-vacuum',
      '--protocol=prepared',
      `--file=${file}`,
      `--client=${connections}`,
      `--time=${seconds}`,
      ...Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`),
      pathname.slice(1),
    ],
    {
      env: {
        PATH: process.env['PATH'],
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: username,
        PGPASSWORD: password,
      },
    },
  )
  const cpuSec = cpuSecOfChildren() - cpuBefore
  const done = figure(stdout, /transactions actually processed: (\d+)/)
  const failed = figure(stdout, /failed transactions: (\d+)/)
  if (failed > 0 || done === 0) throw new Error(`pgbench failed:\n${stdout}`)
  return { perSec: figure(stdout, /tps = ([\d.]+)/), cpuMs: (cpuSec * 1000) / done }
}

function figure(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`unexpected output of pgbench:\n${text}`)
  return Number(found)
}
