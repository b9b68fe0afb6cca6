import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Writes JSON that only the owner may read, whole or not at all. */
export function writePrivateJson(file: string, content: object): void {
  const half = `${file}.${process.pid}`
  writeFileSync(half, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(half, file)
}

/** Undefined when there is no such file, or none that can be read as JSON. */
export function readPrivateJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}
