import { constants } from 'node:fs'
import { access as reach } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import { findFfmpeg } from '@interview-room/composer/find-ffmpeg.ts'
import { closeHttp, listen, pathOf, sendText } from '../api/http.ts'
import type { ApiKeys } from '../api/tokens.ts'
import { serveTwirp, type TwirpRoutes, twirpRoutesOf } from '../api/twirp.ts'
import { WebhookSender, webhookTarget } from '../api/webhooks.ts'
import { egressService } from '../egress/egress-service.ts'
import { Egresses, type EgressOptions } from '../egress/egresses.ts'
import { newId } from '../lib/ids.ts'
import { type Log, reasonOf, silentLog } from '../lib/log.ts'
import type { RtcOptions } from '../rtc/peer.ts'
import { liveKitRooms, reachServer } from './livekit-rooms.ts'
import { rehearse } from './rehearse.ts'
import type { ServerAccess } from './server-access.ts'

export interface RecorderOptions {
  host: string
  /** 0 takes a free port. */
  port: number
  /** http(s) address of the LiveKit server. */
  url: string
  /** API key to API secret. The first is the one that enters rooms. */
  apiKeys: Record<string, string>
  webhook?: { urls: string[]; apiKey: string }
  rtc?: RtcOptions
  egress: EgressOptions
  /** How long a connection that broke is sought again before the recording ends. Default 60 s. */
  giveUpSec?: number
  log?: Log
}

export interface Recorder {
  /** `http://host:port` */
  url: string
  port: number
  /** Suspends what records: the next process makes the files. */
  close(): Promise<void>
}

const DRAIN_TIMEOUT_MS = 2000
const GIVE_UP_SEC = 60

/** Starts a recorder beside a LiveKit server. Rejects when the port is taken, or the folder. */
export async function startRecorder(options: RecorderOptions): Promise<Recorder> {
  const { log = silentLog, rtc = {}, apiKeys } = options
  const access = accessOf(options)
  const webhooks = new WebhookSender(webhookTarget(options), log)
  const giveUpMs = (options.giveUpSec ?? GIVE_UP_SEC) * 1000
  const rooms = liveKitRooms(access, { rtc, log, giveUpMs })
  const egresses = new Egresses(options.egress, { rooms, webhooks, log })
  const routes = twirpRoutesOf({ Egress: egressService(rooms, egresses) })
  const env = options.egress.env ?? process.env
  const service = { access, apiKeys, egresses, env, routes, log, instance: newId('RE_') }

  const http = createServer((request, response) => {
    void serve(request, response, service).catch((error: unknown) => {
      log({ level: 'error', msg: 'request failed', path: pathOf(request), reason: reasonOf(error) })
      response.destroy()
    })
  })
  const port = await listen(http, options)
  await egresses.recover().catch(async (error: unknown) => {
    await egresses.close()
    await closeHttp(http)
    throw error
  })
  // Recordings that a former process left are more urgent, and make the same code run.
  if (egresses.recordingCount === 0) await rehearse(log)

  return {
    url: `http://${options.host}:${port}`,
    port,
    async close() {
      await egresses.close()
      await webhooks.drain(DRAIN_TIMEOUT_MS)
      await closeHttp(http)
    },
  }
}

interface Service {
  access: ServerAccess
  apiKeys: ApiKeys
  egresses: Egresses
  env: Readonly<Record<string, string | undefined>>
  routes: TwirpRoutes
  log: Log
  /** Id of this process: two addresses that answer the same one lead to one recorder. */
  instance: string
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  service: Service,
): Promise<void> {
  const path = pathOf(request)
  if (path.startsWith('/twirp/')) return serveTwirp(request, response, service)
  if (path === '/') return sendText(response, 200, 'OK')
  if (path === '/health') return serveHealth(response, service)
  return sendText(response, 404, 'not found')
}

/** 200 while it can record, else 503 with what is missing; and how far its deliveries are, which changes no status. */
async function serveHealth(
  response: ServerResponse,
  { access, egresses, env, instance }: Service,
): Promise<void> {
  const problems: string[] = []
  problems.push(...(await ffmpegProblems(env)))
  await reachServer(access).catch((error: unknown) => problems.push(reasonOf(error)))
  const hasSpace = await egresses.hasSpace().catch(() => true)
  if (!hasSpace) problems.push('the disk of EGRESS_DIR is nearly full')
  const { recordingCount: recording, recordingMax, deliveries } = egresses
  const undeliveredSec = Math.max(0, ...deliveries.map((each) => each.undeliveredSec))
  const body = { instance, recording, recordingMax, problems, undeliveredSec, deliveries }
  response
    .writeHead(problems.length === 0 ? 200 : 503, { 'Content-Type': 'application/json' })
    .end(JSON.stringify(body))
}

/** A name without a folder is looked for when the program is started. */
async function ffmpegProblems(env: Service['env']): Promise<string[]> {
  const program = findFfmpeg(env)
  if (program === undefined) return ['no ffmpeg']
  if (path.basename(program) === program) return []
  return reach(program, constants.X_OK).then(
    () => [],
    () => ['no ffmpeg: FFMPEG_PATH names no program'],
  )
}

function accessOf({ url, apiKeys }: RecorderOptions): ServerAccess {
  const [[apiKey, apiSecret] = ['', '']] = Object.entries(apiKeys)
  if (apiKey === '') throw new Error('no API key')
  return { url: url.replace(/^ws/, 'http').replace(/\/$/, ''), apiKey, apiSecret }
}
