import path from 'node:path'
import { AS_BY_DEFAULT } from '@interview-room/e2e/src/harness/tenant.ts'
import { startDatabase } from '../database.ts'
import { startNode } from '../node-process.ts'
import { startProviderStub } from '../provider-stub.ts'
import { startServiceProcess } from '../service-process.ts'
import { enterRoom, livePath, makeTenant } from '../tenant.ts'
import type { Source } from './reader.ts'
import { SENDER } from './sender.ts'

/** The server that messages are posted to and read from: the service, or the floor. */
export interface Side {
  /** The measured process. */
  pid: number
  port: number
  post: { path: string; authorization: string }
  /** The panelist comes first, then the observers. */
  sources: readonly Source[]
}

export interface Stage {
  service: Side
  raw: Side
  close: () => Promise<void>
}

/** A room with a moderator, a panelist and observers; `readers` counts the panelist and the observers. */
export async function setStage(readers: number): Promise<Stage> {
  const closers: (() => Promise<void>)[] = []
  async function close(): Promise<void> {
    for (const stop of closers.toReversed()) await stop()
  }
  try {
    const database = await startDatabase({ isDurable: true })
    closers.push(database.stop)
    const provider = await startProviderStub()
    closers.push(provider.stop)
    // A person does not write twenty messages in a second. Raise the limit, because it is not measured here.
    const settings = { CHAT_MESSAGES_PER_MIN: '100000' }
    const process = await startServiceProcess(database, provider, settings)
    closers.push(process.stop)
    const raw = await startNode({
      command: ['bench/src/live-stream/fan-out-server.ts'],
      logFile: path.join(database.folder, 'raw.log'),
      env: {},
    })
    closers.push(raw.stop)
    const room = await fillRoom({ url: database.url, port: process.port, readers })
    return {
      service: { pid: process.pid, port: process.port, ...room },
      raw: rawSide({ pid: raw.pid, port: Number(raw.firstLine) }, readers),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function rawSide({ pid, port }: { pid: number; port: number }, readers: number): Side {
  const source = { port, path: '/stream', authorization: 'none' }
  return {
    pid,
    port,
    post: { path: '/messages', authorization: 'none' },
    sources: Array.from({ length: readers }, () => source),
  }
}

interface FillPlan {
  url: string
  port: number
  readers: number
}

async function fillRoom({ url, port, readers }: FillPlan): Promise<Pick<Side, 'post' | 'sources'>> {
  const tenant = await makeTenant(url, port)
  const { id: roomId } = await tenant.caller.book({ room: AS_BY_DEFAULT })
  const live = livePath(roomId)
  const enter = (role: string, name: string) => enterRoom(tenant, { port, roomId, role, name })

  const moderator = await enter('moderator', SENDER)
  const sources: Source[] = []
  for (let n = 0; n < readers; n += 1) {
    const role = n === 0 ? 'panelist' : 'observer'
    const authorization = await enter(role, `Reader ${n}`)
    sources.push({ port, path: `${live}/stream`, authorization })
  }
  return { post: { path: `${live}/messages`, authorization: moderator }, sources }
}
