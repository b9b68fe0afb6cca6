import { mkdirSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { type Config, ConfigError, loadConfig } from '../platform/config/config.ts'
import { readEnvironment } from '../platform/lib/environment.ts'
import type { Service } from '../service.ts'
import { loopbackOf, freePort, isPortTaken } from './lib/ports.ts'
import { StartError } from './lib/start-error.ts'
import { ensureLocalSecrets } from './local-secrets.ts'
import {
  type EmbeddedEgressOptions,
  type EmbeddedMedia,
  startEmbeddedMedia,
} from './media-server-child.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './postgres/embedded-postgres.ts'
import type { Progress } from './progress.ts'
import { findSpeechProgram, type SpeechProgram } from './speech-program.ts'

export type Environment = Record<string, string | undefined>

/** The given settings, with placeholders for the parts that this start will embed. */
export interface LocalPlan {
  env: Environment
  dataDir: string
  host: string
  port: number
  mediaPort: number
  drainSec: number
  embedsDatabase: boolean
  embedsMedia: boolean
  /** True if everybody who can reach the service may act as the demo tenant. */
  isPlaygroundOpen: boolean
  /** True if the start may install packages of the system that recordings need. */
  installsMissing: boolean
  /** The program that transcribes if no setting names one. */
  speech: SpeechProgram | undefined
  /** The program of the media server, where it is not that of the product. */
  mediaProgram?: string | undefined
}

const MEDIA_PORT_DEFAULT = 7880

/** Checks all settings before anything starts. Throws ConfigError. */
export function planLocalStart(given: Environment): LocalPlan {
  const embedsDatabase = !given['DATABASE_URL']
  const embedsMedia = !given['LIVEKIT_URL']
  const dataDir = path.resolve(given['DATA_DIR'] || './data')
  const speech = findSpeechProgram(given, dataDir)
  const standIns = {
    DATA_DIR: dataDir,
    // A person who presses Ctrl-C waits for the drain, and there is no balancer.
    DRAIN_SEC: given['DRAIN_SEC'] || '0',
    ...(embedsDatabase
      ? {
          DATABASE_URL: 'postgres://to-come',
          SECRETS_KEY: Buffer.alloc(32).toString('base64'),
          WEBHOOKS_ALLOW_PRIVATE_TARGETS: given['WEBHOOKS_ALLOW_PRIVATE_TARGETS'] || 'loopback',
        }
      : {}),
    ...(embedsMedia
      ? { LIVEKIT_URL: 'http://to-come', LIVEKIT_API_KEY: 'to-come', LIVEKIT_API_SECRET: 'to-come' }
      : {}),
    ...speech?.settings,
  }
  const env = { ...given, ...standIns }
  const local = readLocalSettings(given)
  const { host, port, drainSec } = loadConfigWith(local.problems, env)
  const { mediaPort, isPlaygroundOpen } = local
  // Settings that name these parts name all that they need.
  const isOwnMedia = embedsMedia && !given['FFMPEG_PATH']
  if (embedsMedia && mediaPort === port) {
    throw new ConfigError([`MEDIA_PORT must be another port than PORT, which is ${port}`])
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return {
    env,
    dataDir,
    host,
    port,
    mediaPort,
    drainSec,
    embedsDatabase,
    embedsMedia,
    isPlaygroundOpen,
    installsMissing: local.installsMissing && isOwnMedia,
    speech,
  }
}

/** Throws StartError if another process already listens on the service's port. */
export async function refuseTakenPort({ host, port }: LocalPlan): Promise<void> {
  if (!(await isPortTaken(host, port))) return
  throw new StartError(
    `Port ${port} on ${host} is taken by another program. Set PORT to a free one.`,
  )
}

interface LocalSettings {
  mediaPort: number
  isPlaygroundOpen: boolean
  installsMissing: boolean
  problems: string[]
}

function readLocalSettings(given: Environment): LocalSettings {
  const read = readEnvironment(given)
  const mediaPort = read.integer('MEDIA_PORT', {
    min: 1,
    max: 65_535,
    fallback: MEDIA_PORT_DEFAULT,
  })
  const nodeIp = given['MEDIA_NODE_IP'] || '127.0.0.1'
  if (isIP(nodeIp) === 0) read.problems.push('MEDIA_NODE_IP must be an IP address')
  const isPlaygroundOpen = read.flag('PLAYGROUND_OPEN', false)
  const installsMissing = read.flag('INSTALL_MISSING', true)
  return { mediaPort, isPlaygroundOpen, installsMissing, problems: read.problems }
}

/** Reports all problems together, including earlier ones. */
function loadConfigWith(problems: readonly string[], env: Environment): Config {
  try {
    const config = loadConfig(env)
    if (problems.length > 0) throw new ConfigError(problems)
    return config
  } catch (error) {
    if (!(error instanceof ConfigError) || error.problems === problems) throw error
    throw new ConfigError([...error.problems, ...problems])
  }
}

/** The parts that are running or starting. A stop reads them at any point of the start. */
export interface RunningParts {
  postgres?: Promise<EmbeddedPostgres>
  media?: Promise<EmbeddedMedia>
  service?: Promise<Service>
}

/** Starts the embedded parts, and returns the settings that lead to them. */
export async function startEmbedded(
  plan: LocalPlan,
  progress: Progress,
  running: RunningParts,
): Promise<Config> {
  const env = { ...plan.env }
  const { host, port } = plan
  const onProblem = (message: string) => progress.problem(message)
  const secrets = ensureLocalSecrets(plan.dataDir)
  if (plan.embedsDatabase) {
    running.postgres = progress.step('PostgreSQL', () =>
      startEmbeddedPostgres({ dataDir: plan.dataDir, onProblem }),
    )
    env['DATABASE_URL'] = (await running.postgres).url
    env['SECRETS_KEY'] = secrets.secretsKey
  }
  if (!plan.embedsMedia) return loadConfig(env)

  const mediaPort = await freeMediaPort(plan, progress)
  const { mediaApiKey, mediaApiSecret } = secrets
  running.media = progress.step('Media server', () =>
    startEmbeddedMedia({
      dataDir: plan.dataDir,
      host,
      port: mediaPort,
      apiKey: mediaApiKey,
      apiSecret: mediaApiSecret,
      webhookUrl: `http://${loopbackOf(host)}:${port}/api/v1/provider-events`,
      nodeIp: env['MEDIA_NODE_IP'] || undefined,
      program: plan.mediaProgram,
      egress: egressOptions(env, plan.dataDir),
      onProblem,
    }),
  )
  await running.media
  return loadConfig({
    ...env,
    LIVEKIT_URL: `http://${loopbackOf(host)}:${mediaPort}`,
    // Everything is on this machine, and each probe would make it busy.
    MEDIA_PROBE_EVERY_SEC: env['MEDIA_PROBE_EVERY_SEC'] || '0',
    // Our own recorder delivers captures.
    RECORDING_FROM_CAPTURES: env['RECORDING_FROM_CAPTURES'] || 'true',
    // Our own media server reports no arrivals.
    MASK_ARRIVALS: env['MASK_ARRIVALS'] || 'false',
    LIVEKIT_PUBLIC_URL: env['LIVEKIT_PUBLIC_URL'] || publicMediaUrl(env, mediaPort),
    LIVEKIT_API_KEY: mediaApiKey,
    LIVEKIT_API_SECRET: mediaApiSecret,
  })
}

/** Recordings without an upload are written directly to the storage's folder. */
function egressOptions(env: Environment, dataDir: string): EmbeddedEgressOptions {
  const { storage } = loadConfig(env)
  const outputDir =
    storage.kind === 'folder' ? storage.folder : path.join(dataDir, 'media', 'files')
  return { outputDir, ffmpegPath: env['FFMPEG_PATH'] || undefined }
}

async function freeMediaPort({ host, mediaPort }: LocalPlan, progress: Progress): Promise<number> {
  if (!(await isPortTaken(host, mediaPort))) return mediaPort
  const port = await freePort(host)
  progress.problem(`port ${mediaPort} is taken; the media server listens on ${port}`)
  return port
}

function publicMediaUrl(env: Environment, mediaPort: number): string {
  const { hostname } = new URL(loadConfig(env).publicUrl)
  return `ws://${hostname}:${mediaPort}`
}
