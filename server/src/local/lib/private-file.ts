import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { StartError } from './start-error.ts'

/** Writes JSON that only the owner may read: whole or not at all, and on the disk afterwards. */
export function writePrivateJson(file: string, content: object): void {
  const half = `${file}.${process.pid}`
  const handle = openSync(half, 'w', 0o600)
  try {
    writeFileSync(handle, `${JSON.stringify(content, null, 2)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(half, file)
}

/** Undefined when there is no such file. Throws StartError when it is damaged or cannot be read. */
export function readPrivateJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new StartError(`${file} is damaged or cannot be read.`, { cause })
  }
}
