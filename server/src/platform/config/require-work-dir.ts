import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
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
    await mkdir(workDir, { recursive: true, mode: 0o700 })
    await access(workDir, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const mend = 'name a folder that the service may write'
    throw new ConfigError([`WORK_DIR ${workDir} cannot be written (${code}): ${mend}`])
  }
}
