import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { arePagesStale, buildPages } from '@interview-room/server/src/api/pages/build-pages.ts'
import { freePort } from '@interview-room/server/src/local/lib/ports.ts'
import type { Database } from './database.ts'
import { type NodeProcess, startNode } from './node-process.ts'

/** The audience of participant tokens. Nobody calls this address. */
export const PUBLIC_URL = 'https://interviews.example'

export interface ServiceProcess extends NodeProcess {
  port: number
  /** The key that signs cursors. */
  secretsKey: Buffer
}

export interface MediaProvider {
  url: string
  apiKey: string
  apiSecret: string
}

/** Runs `npm run serve` as one `api` process with production settings. It logs every request to a file. */
export async function startServiceProcess(
  database: Database,
  provider: MediaProvider,
  settings: Record<string, string> = {},
): Promise<ServiceProcess> {
  if (await arePagesStale()) await buildPages()
  const port = await freePort('127.0.0.1')
  const secretsKey = randomBytes(32)
  const service = await startNode({
    command: ['server/src/main.ts'],
    logFile: path.join(database.folder, 'service.log'),
    env: {
      NODE_ENV: 'production',
      ROLE: 'api',
      PORT: String(port),
      PUBLIC_URL,
      DATABASE_URL: database.url,
      SECRETS_KEY: secretsKey.toString('base64'),
      STORAGE_DIR: path.join(database.folder, 'storage'),
      LIVEKIT_URL: provider.url,
      LIVEKIT_API_KEY: provider.apiKey,
      LIVEKIT_API_SECRET: provider.apiSecret,
      MEDIA_PROBE_EVERY_SEC: '0',
      ...settings,
    },
  })
  return { ...service, port, secretsKey }
}
