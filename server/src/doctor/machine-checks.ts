import { statfs } from 'node:fs/promises'
import type { Config } from '../platform/config/config.ts'
import { makeWorkDir } from '../platform/config/require-work-dir.ts'
import { examine, fail, type CheckResult, ok, skipped, type Outcome, warn } from './check-result.ts'

const GIB = 1024 ** 3
/** An hour of interview is about one GiB, and is there twice while it is joined. */
const FREE_MIN_BYTES = 2 * GIB
const FREE_GOOD_BYTES = 10 * GIB
const MEND =
  'Set WORK_DIR to a folder that the service may write, on a disk with room for recordings.'

/** What a worker needs of its machine. */
export async function checkWorkDir({ role, workDir }: Pick<Config, 'role' | 'workDir'>) {
  return examine('machine:workDir', MEND, async () =>
    role === 'api' ? skipped('only workers have files: ROLE is api') : checkFolder(workDir),
  ) satisfies Promise<CheckResult>
}

async function checkFolder(workDir: string): Promise<Outcome> {
  await makeWorkDir(workDir)
  const { bavail, bsize } = await statfs(workDir)
  const freeBytes = bavail * bsize
  const detail = `${(freeBytes / GIB).toFixed(1)} GiB are free in WORK_DIR ${workDir}`
  if (freeBytes < FREE_MIN_BYTES) return fail(detail, MEND)
  if (freeBytes < FREE_GOOD_BYTES) return warn(detail, MEND)
  return ok(detail)
}
