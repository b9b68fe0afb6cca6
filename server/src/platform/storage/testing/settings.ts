import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileRoutes } from '../../../api/files/file-routes.ts'
import { createApp } from '../../../app.ts'
import { createTestDeps } from '../../../testing/deps.ts'
import { loadConfig } from '../../config/config.ts'
import { openDb } from '../../db/db.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import type { Storage } from '../../ports/storage.ts'
import { createFileAddresses } from '../file-addresses.ts'
import { createFolderStorage } from '../folder/folder-storage.ts'
import { createS3Storage } from '../s3/s3-storage.ts'
import { startTestS3 } from './s3-server.ts'

/** A storage with its backend, reached by HTTP as every client reaches it. */
export interface Setting {
  /** Opens the same objects with another clock. */
  open(clock: Clock): Storage
  /** The address here that a signed address leads to. */
  reach(url: string): string
  close(): Promise<void>
}

export const SETTINGS: readonly [name: string, start: () => Promise<Setting>][] = [
  ['the folder', async () => startFolder()],
  ['a server of the S3 API', startOwnS3],
  ...(process.env['STORAGE_TEST_S3_BUCKET'] === undefined
    ? []
    : [['the S3 server of STORAGE_TEST_S3_*', startGivenS3] as const]),
].map(([name, start]) => [name as string, start as () => Promise<Setting>])

export interface FolderSetting extends Setting {
  folder: string
  origin: string
}

export async function startFolder(): Promise<FolderSetting> {
  const folder = await mkdtemp(path.join(tmpdir(), 'interview-room-storage-'))
  const db = openDb({ url: 'postgres://x@127.0.0.1:1/x', poolSize: 1, applicationName: 'tests' })
  const deps = createTestDeps({ db })
  const { publicUrl, secretsKey } = deps.config
  const addressesAt = (clock: Clock) => createFileAddresses({ publicUrl, secretsKey, clock })
  const open = (clock: Clock) => createFolderStorage(folder, addressesAt(clock))
  const files = { folder, storage: open(systemClock), addresses: addressesAt(systemClock) }
  const app = await createApp(deps, { plugins: [fileRoutes(files)] })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  return {
    folder,
    origin,
    open,
    reach: (url) => url.replace(publicUrl, origin),
    async close() {
      await app.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startOwnS3(): Promise<Setting> {
  const server = await startTestS3()
  return {
    open: (clock) => createS3Storage(server.config, clock),
    reach: (url) => url,
    close: () => server.close(),
  }
}

/** Reads STORAGE_TEST_S3_BUCKET, _ENDPOINT, ... as the settings S3_BUCKET, S3_ENDPOINT, ... */
async function startGivenS3(): Promise<Setting> {
  const given = Object.entries(process.env).flatMap(([name, value]) =>
    name.startsWith('STORAGE_TEST_S3_') ? [[name.replace('STORAGE_TEST_', ''), value]] : [],
  )
  const { storage } = loadConfig({ ...NOTHING_ELSE, ...Object.fromEntries(given) })
  if (storage.kind !== 's3') throw new Error('STORAGE_TEST_S3_BUCKET is empty')
  return {
    open: (clock) => createS3Storage(storage.s3, clock),
    reach: (url) => url,
    close: async () => {},
  }
}

const NOTHING_ELSE = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  LIVEKIT_URL: 'http://127.0.0.1:1',
  LIVEKIT_API_KEY: 'testkey',
  LIVEKIT_API_SECRET: 'a-secret-that-only-tests-know-of',
}
