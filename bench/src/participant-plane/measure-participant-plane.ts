import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { AS_BY_DEFAULT } from '@interview-room/e2e/src/harness/tenant.ts'
import { startProviderStub } from '../control-plane/provider-stub.ts'
import { startDatabase } from '../database.ts'
import { requestBytes } from '../http-connection.ts'
import { applyLoad, type Rate } from '../load.ts'
import { machine } from '../machine.ts'
import { startNode } from '../node-process.ts'
import { startServiceProcess } from '../service-process.ts'
import { median, round } from '../statistics.ts'
import { type BenchTenant, enterRoom, livePath, makeTenant } from '../tenant.ts'
import type { RawEntry, RawSettings } from './raw-server.ts'

const CONNECTIONS = 16
const WARM_UP_SEC = 4
/** Enough rooms that no person exceeds the default messages per minute. */
const ROOMS = 400
/**
 * Their tokens are signed before the rounds. Each person enters several times, and a new entry replaces the one
 * before.
 */
const PEOPLE = 4_000
const CHAT_CPU_RATIO_MAX = 2
const ENTRY_CPU_MS_MAX = 1

interface Operation {
  name: 'chat message' | 'entry'
  service: () => Buffer
  raw: () => Buffer
}

interface Round {
  service: Rate
  raw: Rate
}

const any = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T

/**
 * Measures a chat message and an entry, on the real service and on a raw `node:http` handler that writes the same
 * rows: the message in one statement, the entry in the service's own transaction.
 */
export async function measureParticipantPlane(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '4' },
      only: { type: 'string' },
    },
  })
  const cleanup = new AsyncDisposableStack()
  try {
    await measureIn(cleanup, values)
  } finally {
    await cleanup.disposeAsync()
  }
}

interface Options {
  rounds: string
  seconds: string
  only?: string
}

async function measureIn(cleanup: AsyncDisposableStack, options: Options): Promise<void> {
  const plan = { rounds: Number(options.rounds), seconds: Number(options.seconds) }
  const database = await startDatabase({ isDurable: true })
  cleanup.defer(database.stop)
  const provider = await startProviderStub()
  cleanup.defer(provider.stop)
  const settings = { CHAT_MESSAGES_PER_MIN: '100000' }
  const service = await startServiceProcess(database, provider, settings)
  cleanup.defer(service.stop)
  const tenant = await makeTenant(database.url, service.port)
  const rawSettings: RawSettings = { databaseUrl: database.url, tenantId: tenant.id }
  const raw = await startNode({
    command: ['bench/src/participant-plane/raw-server.ts'],
    logFile: path.join(database.folder, 'raw.log'),
    env: { RAW_SETTINGS: JSON.stringify(rawSettings) },
  })
  cleanup.defer(raw.stop)
  const sides = { service, raw: { ...raw, port: Number(raw.firstLine) } }

  const measured: { name: Operation['name']; rounds: Round[] }[] = []
  for (const operation of await allOperations(tenant, service.port)) {
    if (options.only !== undefined && options.only !== operation.name) continue
    const take = (side: keyof Round, seconds: number) => {
      const { pid, port } = sides[side]
      const request = operation[side]
      return applyLoad({ pid, port, connections: CONNECTIONS, seconds, request, status: 201 })
    }
    await take('service', WARM_UP_SEC)
    await take('raw', WARM_UP_SEC)
    const rounds: Round[] = []
    for (let n = 0; n < plan.rounds; n += 1) {
      // Every second round runs backwards, so that drift affects both sides alike.
      const first = n % 2 === 0 ? await take('service', plan.seconds) : undefined
      const rawRate = await take('raw', plan.seconds)
      rounds.push({ service: first ?? (await take('service', plan.seconds)), raw: rawRate })
    }
    measured.push({ name: operation.name, rounds })
  }
  report(measured, plan)
}

const newMessage = () => ({
  id: randomUUID(),
  visibility: 'public',
  content_type: 'text',
  text: 'Forty characters, as people write often.',
})

function post(path: string, authorization: string, body: unknown): Buffer {
  return requestBytes({ method: 'POST', path, authorization, body })
}

async function allOperations(tenant: BenchTenant, port: number): Promise<Operation[]> {
  const rooms: { id: string; authorization: string }[] = []
  for (let n = 0; n < ROOMS; n += 1) {
    const { id } = await tenant.caller.book({ room: AS_BY_DEFAULT })
    const who = { port, roomId: id, role: 'moderator', name: 'Bench moderator' }
    rooms.push({ id, authorization: await enterRoom(tenant, who) })
  }
  const tokens: { id: string; authorization: string }[] = []
  for (let n = 0; n < PEOPLE; n += 1) {
    const { id } = any(rooms)
    const token = await tenant.signer.signToken({ roomId: id, role: 'panelist', name: `P ${n}` })
    tokens.push({ id, authorization: `Bearer ${token}` })
  }
  return [
    {
      name: 'chat message',
      service() {
        const { id, authorization } = any(rooms)
        return post(`${livePath(id)}/messages`, authorization, newMessage())
      },
      raw: () => post(`/messages/${any(rooms).id}`, 'none', newMessage()),
    },
    {
      name: 'entry',
      service() {
        const { id, authorization } = any(tokens)
        return post(`${livePath(id)}/entry`, authorization, {})
      },
      raw() {
        const externalId = `raw ${Math.floor(Math.random() * PEOPLE)}`
        const entry: RawEntry = { roomId: any(rooms).id, externalId }
        return post('/entries', 'none', entry)
      },
    },
  ]
}

function report(
  measured: readonly { name: Operation['name']; rounds: readonly Round[] }[],
  plan: { rounds: number; seconds: number },
): void {
  const operations = Object.fromEntries(
    measured.map(({ name, rounds }) => {
      const middle = (figure: (each: Round) => number) => round(median(rounds.map(figure)))
      const figures = {
        'req/s': middle(({ service }) => service.perSec),
        'CPU ms': middle(({ service }) => service.cpuMs),
        'raw req/s': middle(({ raw }) => raw.perSec),
        'raw CPU ms': middle(({ raw }) => raw.cpuMs),
        'req/s to raw': middle(({ service, raw }) => service.perSec / raw.perSec),
        'CPU to raw': middle(({ service, raw }) => service.cpuMs / raw.cpuMs),
      }
      return [name, figures]
    }),
  )
  const targets = {
    'chat message, CPU to the same rows in one statement': {
      is: operations['chat message']?.['CPU to raw'],
      atMost: CHAT_CPU_RATIO_MAX,
    },
    'entry, ms of CPU': { is: operations['entry']?.['CPU ms'], atMost: ENTRY_CPU_MS_MAX },
  }
  console.table(operations)
  console.table(targets)
  const conditions = { ...plan, connections: CONNECTIONS, rooms: ROOMS, people: PEOPLE }
  console.log(
    JSON.stringify({
      bench: 'participant-plane',
      machine: machine(),
      conditions,
      operations,
      targets,
    }),
  )
}
