import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { type Config, loadConfig } from '../config.ts'
import { type EmbeddedMedia, startEmbeddedMedia } from './media-server-child.ts'
import type { Service } from '../service.ts'
import { ensureLocalSecrets, type LocalSecrets } from './local-secrets.ts'
import { freePort, isPortTaken } from './ports.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './postgres/embedded-postgres.ts'
import type { Progress } from './progress.ts'
import { StartError } from './start-error.ts'

export type Environment = Record<string, string | undefined>

/** The settings as given, with what this start will embed filled in by stand-ins. */
export interface LocalPlan {
  env: Environment
  dataDir: string
  secrets: LocalSecrets
  embedsDatabase: boolean
  embedsMedia: boolean
}

const MEDIA_PORT_DEFAULT = 7880

/** Checks all settings before anything starts. Throws ConfigError or StartError. */
export async function planLocalStart(given: Environment): Promise<LocalPlan> {
  const embedsDatabase = !given['DATABASE_URL']
  const embedsMedia = !given['LIVEKIT_URL']
  const dataDir = path.resolve(given['DATA_DIR'] || './data')
  const standIns = {
    DATA_DIR: dataDir,
    ...(embedsDatabase
      ? {
          DATABASE_URL: 'postgres://to-come',
          SECRETS_KEY: Buffer.alloc(32).toString('base64'),
          WEBHOOKS_ALLOW_PRIVATE_TARGETS: given['WEBHOOKS_ALLOW_PRIVATE_TARGETS'] || 'true',
        }
      : {}),
    ...(embedsMedia
      ? { LIVEKIT_URL: 'http://to-come', LIVEKIT_API_KEY: 'to-come', LIVEKIT_API_SECRET: 'to-come' }
      : {}),
  }
  const env = { ...given, ...standIns }
  const { host, port } = loadConfig(env)
  if (await isPortTaken(host, port)) {
    throw new StartError(
      `Port ${port} on ${host} is taken by another program. Set PORT to a free one.`,
    )
  }
  mkdirSync(dataDir, { recursive: true })
  return { env, dataDir, secrets: ensureLocalSecrets(dataDir), embedsDatabase, embedsMedia }
}

/** What is running; whoever stops looks here, at whatever point the start has come to. */
export interface Running {
  postgres?: EmbeddedPostgres
  media?: EmbeddedMedia
  service?: Service
}

/** Starts what is embedded, and answers the settings that lead to it. */
export async function startEmbedded(
  plan: LocalPlan,
  progress: Progress,
  running: Running,
): Promise<Config> {
  const env = { ...plan.env }
  const onProblem = (message: string) => progress.problem(message)
  if (plan.embedsDatabase) {
    running.postgres = await progress.step('PostgreSQL', () =>
      startEmbeddedPostgres({ dataDir: plan.dataDir, onProblem }),
    )
    env['DATABASE_URL'] = running.postgres.url
    env['SECRETS_KEY'] = plan.secrets.secretsKey
  }
  if (!plan.embedsMedia) return loadConfig(env)

  const { host, port } = loadConfig(env)
  const mediaPort = await mediaPortFor(env, host, progress)
  const { mediaApiKey, mediaApiSecret } = plan.secrets
  running.media = await progress.step('Media server', () =>
    startEmbeddedMedia({
      dataDir: plan.dataDir,
      host,
      port: mediaPort,
      apiKey: mediaApiKey,
      apiSecret: mediaApiSecret,
      webhookUrl: `http://${loopbackOf(host)}:${port}/api/v1/provider-events`,
      nodeIp: env['MEDIA_NODE_IP'] || undefined,
      onProblem,
    }),
  )
  return loadConfig({
    ...env,
    LIVEKIT_URL: `http://${loopbackOf(host)}:${mediaPort}`,
    LIVEKIT_PUBLIC_URL: env['LIVEKIT_PUBLIC_URL'] || publicMediaUrl(env, mediaPort),
    LIVEKIT_API_KEY: mediaApiKey,
    LIVEKIT_API_SECRET: mediaApiSecret,
  })
}

async function mediaPortFor(env: Environment, host: string, progress: Progress): Promise<number> {
  const wanted = Number(env['MEDIA_PORT'] || MEDIA_PORT_DEFAULT)
  if (!(await isPortTaken(host, wanted))) return wanted
  const port = await freePort(host)
  progress.problem(`port ${wanted} is taken; the media server listens on ${port}`)
  return port
}

/** A server that listens everywhere is reached from here by the loopback address. */
function loopbackOf(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
}

function publicMediaUrl(env: Environment, mediaPort: number): string {
  const { hostname } = new URL(loadConfig(env).publicUrl)
  return `ws://${hostname}:${mediaPort}`
}
