import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserServer, chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { serveClientPage } from './client-page.ts'
import type { Stage } from './provided.ts'
import {
  chromiumPath,
  foreignServer,
  hasEgress,
  hasRecorder,
  type ServerSettings,
  soakMinutes,
  webhookPort,
} from './settings.ts'
import { signToken } from './tokens.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

const FLAGS = [
  '--no-sandbox',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--allow-loopback-in-peer-connection',
  '--autoplay-policy=no-user-gesture-required',
  '--disable-background-networking',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  '--disable-gpu',
]

const EMBEDDED_KEYS = {
  apiKey: 'acceptance',
  apiSecret: 'acceptance-secret-of-the-embedded-server',
}

/** Starts what all files share (server, webhook receiver, page, browser) and ends it after them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const closers: (() => Promise<void>)[] = []
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).toReversed()) await close()
  }
  try {
    project.provide('stage', await startStage(closers))
  } catch (error) {
    await closeAll()
    throw error
  }
  return closeAll
}

async function startStage(closers: (() => Promise<void>)[]): Promise<Stage> {
  const foreign = foreignServer()
  const isDelivering = foreign === undefined || webhookPort() !== undefined
  const receiver = isDelivering ? await startWebhookReceiver(webhookPort() ?? 0) : undefined
  if (receiver !== undefined) closers.push(() => receiver.close())

  const webhookUrl = receiver === undefined ? undefined : `${receiver.url}/webhook`
  const server = foreign ?? (await startEmbedded(webhookUrl ?? '', closers))
  const recorder = hasRecorder() ? await startOwnRecorder(server, webhookUrl, closers) : undefined
  const recording: Partial<EmbeddedSettings> = recorder ?? server
  const page = await serveClientPage()
  closers.push(() => page.close())
  const browser = await launchBrowser()
  closers.push(() => browser.close())

  return {
    ...server,
    isEmbedded: foreign === undefined,
    egressUrl: recorder?.url ?? server.url,
    browserEndpoint: browser.wsEndpoint(),
    pageUrl: page.url,
    webhookUrl: receiver?.url ?? null,
    hasAutoCreate: await acceptsUnknownRooms(server),
    soakMinutes: soakMinutes(),
    recordingsFolder: recording.recordingsFolder ?? null,
    hasLiveKitEgress: recorder === undefined && foreign !== undefined && hasEgress(),
  }
}

async function startOwnRecorder(
  { url, apiKey, apiSecret }: ServerSettings,
  webhookUrl: string | undefined,
  closers: (() => Promise<void>)[],
): Promise<{ url: string; recordingsFolder: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'recorder-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const recordingsFolder = path.join(folder, 'files')
  const { startRecorder } = await import('../../../src/recorder/recorder.ts')
  const recorder = await startRecorder({
    host: '127.0.0.1',
    port: 0,
    url,
    apiKeys: { [apiKey]: apiSecret },
    ...(webhookUrl === undefined ? {} : { webhook: { urls: [webhookUrl], apiKey } }),
    egress: { folder: path.join(folder, 'egress'), outputFolder: recordingsFolder },
  })
  closers.push(() => recorder.close())
  return { url: recorder.url, recordingsFolder }
}

interface EmbeddedSettings extends ServerSettings {
  recordingsFolder: string
}

async function startEmbedded(
  webhookUrl: string,
  closers: (() => Promise<void>)[],
): Promise<EmbeddedSettings> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acceptance-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const recordingsFolder = path.join(folder, 'files')
  const { startMediaServer } = await import('../../../src/server.ts')
  const server = await startMediaServer({
    host: '127.0.0.1',
    port: 0,
    apiKeys: { [EMBEDDED_KEYS.apiKey]: EMBEDDED_KEYS.apiSecret },
    webhook: { urls: [webhookUrl], apiKey: EMBEDDED_KEYS.apiKey },
    autoCreate: false,
    // The machine may be busy: the clients are as patient.
    joinTimeoutMs: 60_000,
    egress: { folder: path.join(folder, 'egress'), outputFolder: recordingsFolder },
    log(entry) {
      if (entry.level === 'error') process.stderr.write(`${JSON.stringify(entry)}\n`)
    },
  })
  closers.push(() => server.close())
  return { url: `http://127.0.0.1:${server.port}`, ...EMBEDDED_KEYS, recordingsFolder }
}

async function launchBrowser(): Promise<BrowserServer> {
  return chromium.launchServer({ executablePath: chromiumPath(), headless: true, args: FLAGS })
}

/** Asks with a token of a room that nobody made; the answer comes before any connection. */
async function acceptsUnknownRooms(server: ServerSettings): Promise<boolean> {
  const token = await signToken(server, { room: `absent-${randomUUID()}`, identity: 'probe' })
  const response = await fetch(`${server.url}/rtc/validate?access_token=${token}`, {
    signal: AbortSignal.timeout(10_000),
  })
  return response.ok
}
