import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'

/**
 * Loads the settings of `.env` in the folder, if there is one; the environment outranks them. Throws an `Error` that names the file
 * if it cannot be read.
 */
export function loadEnvFile(folder = process.cwd()): void {
  const file = path.join(folder, '.env')
  if (!existsSync(file)) return
  for (const [name, value] of Object.entries(parseEnv(read(file)))) process.env[name] ??= value
}

function read(file: string): string {
  try {
    // Some editors begin a file with a mark, which would belong to the name of the first setting.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`${file} cannot be read (${code})`, { cause: error })
  }
}
