import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { readPrivateJson, writePrivateJson } from './lib/private-file.ts'

/** Secrets that a local installation generates once and keeps in its data directory. */
export interface LocalSecrets {
  secretsKey: string
  mediaApiKey: string
  mediaApiSecret: string
}

export function ensureLocalSecrets(dataDir: string): LocalSecrets {
  const file = path.join(dataDir, 'secrets.json')
  const known = readPrivateJson<LocalSecrets>(file)
  if (known !== undefined) return known
  const made = {
    secretsKey: randomBytes(32).toString('base64'),
    mediaApiKey: `local${randomBytes(6).toString('hex')}`,
    mediaApiSecret: randomBytes(32).toString('base64url'),
  }
  writePrivateJson(file, made)
  return made
}
