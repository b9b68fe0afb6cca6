import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../lib/start-error.ts'
import { isOpenToAll, OPEN_PLACE, type PostgresBinaries } from './binaries.ts'

export interface Cluster {
  folder: string
  password: string
}

/** Finds or makes the database cluster of a data directory. Made whole or not at all. */
export async function ensureCluster(dataDir: string, binaries: PostgresBinaries): Promise<Cluster> {
  const folder = await placeFor(dataDir, binaries)
  const passwordFile = path.join(dataDir, 'postgres-password')
  const isThere = await exists(path.join(folder, 'PG_VERSION'))
  if (!isThere) return initialise(folder, passwordFile, binaries)
  try {
    return { folder, password: await readFile(passwordFile, 'utf8') }
  } catch (cause) {
    // Never created again: somebody's interviews are in there.
    throw new StartError(`The database in ${folder} has lost its password file ${passwordFile}.`, {
      cause,
    })
  }
}

async function placeFor(dataDir: string, { runAs }: PostgresBinaries): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  if (runAs === undefined) return path.join(dataDir, 'postgres')
  // A folder with access only for us is opened so that others may enter it; secret files in it have their own mode. Any other
  // folder stays as it is.
  const { mode, uid } = await stat(dataDir)
  if ((mode & 0o777) === 0o700 && uid === process.getuid?.()) await chmod(dataDir, 0o711)
  if (await isOpenToAll(dataDir)) return path.join(dataDir, 'postgres')
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  await mkdir(OPEN_PLACE, { recursive: true, mode: 0o755 })
  return path.join(OPEN_PLACE, `data-${name}`)
}

async function initialise(
  folder: string,
  passwordFile: string,
  binaries: PostgresBinaries,
): Promise<Cluster> {
  const { initdb, runAs } = binaries
  const half = `${folder}.new`
  const password = randomBytes(24).toString('base64url')
  const handOver = `${folder}.password`
  await rm(half, { recursive: true, force: true })
  await mkdir(half, { mode: 0o700 })
  await writeFile(handOver, password, { mode: 0o600 })
  if (runAs !== undefined) {
    await chown(half, runAs.uid, runAs.gid)
    await chown(handOver, runAs.uid, runAs.gid)
  }
  const options = [
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ]
  await promisify(execFile)(initdb, ['-D', half, `--pwfile=${handOver}`, ...options], {
    ...runAs,
    cwd: '/',
  })
  await rm(handOver)
  await writeFile(passwordFile, password, { mode: 0o600 })
  await rename(half, folder)
  return { folder, password }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}
