import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { makeFolder } from '../lib/make-folder.ts'
import { type Config, ConfigError } from './config.ts'

/**
 * Makes the folder that the work of a worker needs. Throws `ConfigError` where it cannot be written: the worker
 * would start, and every recording would wait for a day before it failed.
 */
export async function requireWorkDir({
  role,
  workDir,
}: Pick<Config, 'role' | 'workDir'>): Promise<void> {
  if (role === 'api') return
  try {
    await makeWorkDir(workDir)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const mend = 'name a folder that the service may write'
    throw new ConfigError([`WORK_DIR ${workDir} cannot be written (${code}): ${mend}`])
  }
}

/** Throws what the file system does where the folder cannot be made or written. */
export async function makeWorkDir(workDir: string): Promise<void> {
  await makeFolder(workDir)
  await access(workDir, constants.W_OK)
}
