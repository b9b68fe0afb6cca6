import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Health } from '../api/operations/health.ts'
import { checkInvariants } from '../domain/monitoring/check-invariants.ts'
import { freePort } from '../local/lib/ports.ts'
import { type Config, loadConfig } from '../platform/config/config.ts'
import { connectProblem } from '../platform/db/connect-problem.ts'
import type { Db } from '../platform/db/db.ts'
import { argumentProblem } from '../platform/lib/argument-problem.ts'
import { openDeps, startService } from '../service.ts'
import { requireClients } from './clients.ts'
import { dumpDatabase, restoreDatabase } from './copy-database.ts'
import { copyObjects } from './copy-objects.ts'
import { findMissingFiles } from './find-missing-files.ts'
import { countTables, listNeededObjects, readMajor } from './store.ts'

export const DRILL_HELP = `usage: npm run backup-drill -- --into <url of an empty database>

Dumps DATABASE_URL, restores the dump into the empty database, copies the objects into a temporary folder, starts an
API process on both, and checks the data. Changes nothing of the installation; needs pg_dump and pg_restore of at least
the version of PostgreSQL. The copy of the objects needs as much room in TMPDIR as they have.
Exit code 1: the backup cannot be used. 2: wrong use.
`

const HOST = '127.0.0.1'
/** Nothing of a drill may reach LiveKit, because its rooms belong to the installation. */
const NO_LIVEKIT = `http://${HOST}:1`

type Report = (line: string) => void

/** Throws an error that names the fault of the backup. */
export async function runDrill(
  args: string[],
  env: Record<string, string | undefined>,
  report: Report,
): Promise<void> {
  const into = readInto(args)
  const config = { ...loadConfig(env), logLevel: 'silent' }
  const folder = await mkdtemp(path.join(tmpdir(), 'interview-room-drill-'))
  try {
    const restored = await restoredConfig(config, into, folder)
    await copyAll({ config, restored, folder }, report)
    await checkService(restored, report)
    await checkData({ config, restored }, report)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Thrown for wrong use. */
export class DrillUsageError extends Error {
  override name = 'DrillUsageError'
}

function readInto(args: string[]): string {
  const into = parse(args)
  if (into === undefined || !URL.canParse(into)) {
    throw new DrillUsageError('--into must be the address of an empty database')
  }
  return into
}

function parse(args: string[]): string | undefined {
  try {
    return parseArgs({ args, options: { into: { type: 'string' } } }).values.into
  } catch (error) {
    throw new DrillUsageError(argumentProblem(error) ?? String(error))
  }
}

/** An API process beside the installation: own database, own files, and no worker that would act on them. */
async function restoredConfig(config: Config, into: string, folder: string): Promise<Config> {
  const port = await freePort(HOST)
  return {
    ...config,
    role: 'api',
    host: HOST,
    port,
    publicUrl: `http://${HOST}:${port}`,
    operations: { host: HOST, port: await freePort(HOST) },
    metricsToken: undefined,
    drainSec: 0,
    databaseUrl: into,
    storage: { kind: 'folder', folder: path.join(folder, 'objects') },
    livekit: { ...config.livekit, apiUrl: NO_LIVEKIT, egressUrls: [NO_LIVEKIT] },
  }
}

interface DrillFiles {
  config: Config
  restored: Config
  folder: string
}

async function copyAll({ config, restored, folder }: DrillFiles, report: Report): Promise<void> {
  const [original, copy] = [openDeps(config), openDeps(restored)]
  try {
    const [source, empty] = [
      await reach(original.deps.db, config.databaseUrl, 'DATABASE_URL'),
      await reach(copy.deps.db, restored.databaseUrl, '--into'),
    ]
    if ((await countTables(copy.deps.db)) > 0) {
      throw new DrillUsageError('the database of --into is not empty')
    }
    await requireClients({ source, into: empty })
    const file = path.join(folder, 'database.dump')
    const dumpBytes = await dumpDatabase(config.databaseUrl, file)
    report(`dumped the database: ${inMib(dumpBytes)}`)
    await restoreDatabase(file, restored.databaseUrl)
    report('restored it into the empty database')
    const { count, sizeBytes } = await copyObjects(original.deps.storage, copy.deps.storage)
    report(`copied ${count} objects: ${inMib(sizeBytes)}`)
  } finally {
    await Promise.all([original.close(), copy.close()])
  }
}

/** The version of PostgreSQL. Throws a problem with the address under the setting's name. */
async function reach(db: Db, url: string, name: string): Promise<number> {
  try {
    return await readMajor(db)
  } catch (error) {
    throw new Error(connectProblem(error, url, name) ?? String(error), { cause: error })
  }
}

/** Checks that a restored service must pass. LiveKit is left out on purpose. */
const NEEDED_CHECKS = ['database:responseTime', 'secrets:key', 'storage:responseTime']

async function checkService(restored: Config, report: Report): Promise<void> {
  const service = await startService(restored)
  try {
    const answer = await fetch(`${restored.publicUrl}/health/ready`, {
      signal: AbortSignal.timeout(30_000),
    })
    const { checks } = (await answer.json()) as Health
    for (const name of NEEDED_CHECKS) {
      const check = checks[name]?.[0]
      if (check !== undefined && check.status !== 'pass')
        throw new Error(`${name}: ${check.output}`)
    }
    report('an API process starts on the copy, and reads its secrets')
  } finally {
    await service.close()
  }
}

const EXAMPLES_MAX = 5

async function checkData(
  { config, restored }: Pick<DrillFiles, 'config' | 'restored'>,
  report: Report,
): Promise<void> {
  const [original, copy] = [openDeps(config), openDeps(restored)]
  const { deps } = copy
  try {
    // Faults of the installation itself are not the backup's. `admin check` reports them.
    const before = (await checkInvariants(original.deps)).violations
    const { checked, violations } = await checkInvariants(deps)
    const broken = violations.find(({ invariant }) =>
      before.every((violation) => violation.invariant !== invariant),
    )
    if (broken !== undefined) throw new Error(`${broken.invariant}: ${broken.examples.join(', ')}`)
    report(`the data is as consistent as the installation: ${checked} rules compared`)
    const files = await findMissingFiles(deps)
    // Files that the installation has deleted since the dump are rightly absent.
    const needed = new Set(await listNeededObjects(original.deps.db))
    const missing = files.missing.map(({ key }) => key).filter((key) => needed.has(key))
    if (missing.length > 0) {
      const some = missing.slice(0, EXAMPLES_MAX).join(', ')
      throw new Error(`${missing.length} of ${files.checked} files are missing: ${some}`)
    }
    report(`all ${files.checked} files that the data names are there`)
  } finally {
    await Promise.all([original.close(), copy.close()])
  }
}

function inMib(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`
}
