import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname, '../../..')

/** The files of this checkout that git knows or would add, pictures of the documentation aside. */
function sourceFiles(): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const known = new Set(files.split('\0').filter((file) => file !== ''))
  return [...known].filter((file) => !file.startsWith('docs/pictures/'))
}

/** Copies the sources as they are in the working tree, uncommitted changes included. */
export async function copySources(folder: string): Promise<void> {
  for (const file of sourceFiles()) {
    const target = path.join(folder, file)
    await mkdir(path.dirname(target), { recursive: true })
    // A file that was deleted and not yet committed is still listed.
    await cp(path.join(ROOT, file), target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
}

/** Gives a copy the installed packages, and its own workspaces. */
export async function linkPackages(folder: string): Promise<void> {
  const modules = path.join(folder, 'node_modules')
  await mkdir(path.join(modules, '@interview-room'), { recursive: true })
  for (const name of await readdir(path.join(ROOT, 'node_modules'))) {
    if (name === '@interview-room' || name === '.cache' || name === '.vite') continue
    await symlink(path.join(ROOT, 'node_modules', name), path.join(modules, name))
  }
  for (const name of await readdir(path.join(ROOT, 'node_modules/@interview-room'))) {
    await symlink(path.join(folder, name), path.join(modules, '@interview-room', name))
  }
}
