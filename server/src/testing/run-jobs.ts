import { pino } from 'pino'
import type { Db } from '../platform/db/db.ts'
import type { Job } from '../platform/jobs/job.ts'

/** Runs everything that was asked for of this kind, whether due or not, and takes it from the list. */
export async function runJobs(db: Db, job: Job): Promise<void> {
  const asked = await db<{ key: string; payload: Record<string, unknown> }[]>`
    delete from jobs where kind = ${job.kind} returning key, payload
  `
  const { signal } = new AbortController()
  const log = pino({ level: 'silent' })
  for (const { key, payload } of asked) await job.run({ key, payload, attempt: 1, signal, log })
}
