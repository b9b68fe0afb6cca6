import { once } from 'node:events'
import { pino } from 'pino'
import { openDb } from '../platform/db/db.ts'
import type { Job } from '../platform/jobs/job.ts'
import { startWorker } from '../platform/jobs/worker.ts'

/** A worker process of its own. A `fatal` job kills it; an `endless` one runs until it is interrupted. Prints what runs beside. */
const [url = '', trialMs = ''] = process.argv.slice(2)
const db = openDb({
  url,
  poolSize: 4,
  applicationName: 'tests',
  statementTimeoutMs: 50_000,
  lockTimeoutMs: 50_000,
  idleInTransactionMs: 50_000,
  acquireTimeoutMs: 50_000,
})
const log = pino({ level: 'silent' })
const underWay = new Set<string>()

function print(kind: string, key: string): void {
  process.stdout.write(`${JSON.stringify({ kind, key, beside: [...underWay].toSorted() })}\n`)
}

const fatal: Job = {
  kind: 'fatal',
  async run({ key }) {
    // The others of the same claim begin, too.
    await db`select 1`
    print('fatal', key)
    process.kill(process.pid, 'SIGKILL')
    return { outcome: 'done' }
  },
}
const endless: Job = {
  kind: 'endless',
  async run({ key, signal }) {
    print('endless', key)
    underWay.add(key)
    await once(signal, 'abort')
    underWay.delete(key)
    throw signal.reason
  },
}

startWorker({
  db,
  queues: [{ jobs: [fatal, endless], concurrency: 4 }],
  leaseSec: 30,
  trialMs: Number(trialMs),
  log,
})
