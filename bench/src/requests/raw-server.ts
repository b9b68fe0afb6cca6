import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { Pool, type QueryConfig } from 'pg'
import { bodyOf, serveRaw } from '../raw-http.ts'
import type { Statement } from '../statements.ts'
import { fillOf, type Floor, type Replay } from './floor.ts'

export interface RawSettings {
  databaseUrl: string
  providerUrl: string
  /** A file with the floors by name. */
  floorsFile: string
}

/** The service's default pool size. */
const POOL_SIZE = 16

/**
 * The floor of a request: `node:http` around plain `pg`, which sends the statements that the service sends, in as many round
 * trips, and calls the provider as often. It checks no key and no token, validates no body, signs nothing and logs nothing.
 */
const settings = JSON.parse(process.env['RAW_SETTINGS'] ?? '') as RawSettings
const floors = JSON.parse(readFileSync(settings.floorsFile, 'utf8')) as Record<string, Floor>
const pool = new Pool({ connectionString: settings.databaseUrl, max: POOL_SIZE, pipeline: true })
const agent = new Agent({ keepAlive: true })

type Plan = ReturnType<typeof planOf>
const plans = new Map(Object.entries(floors).map(([name, floor]) => [name, planOf(name, floor)]))

function planOf(name: string, { steps, samples, fresh, answer }: Floor) {
  const places = [...samples, ...fresh]
  let count = 0
  const prepare = ({ text, values }: Statement) => {
    const fills = values.map((value) => fillOf(value, places))
    // As in the service, a statement without values is not prepared.
    const id = fills.length === 0 ? {} : { name: `${name} ${(count += 1)}` }
    return (filled: readonly string[]): QueryConfig => ({
      ...id,
      text,
      values: fills.map((fill) => fill(filled)),
    })
  }
  return {
    freshCount: fresh.length,
    answer,
    steps: steps.map((step) =>
      step === 'provider' ? step : step.map((trip) => trip.map((each) => prepare(each))),
    ),
  }
}

async function replay({ steps }: Plan, filled: readonly string[]): Promise<void> {
  for (const step of steps) {
    if (step === 'provider') {
      await callProvider(filled[0] ?? '')
      continue
    }
    const client = await pool.connect()
    for (const trip of step) {
      await Promise.all(trip.map((statement) => client.query(statement(filled))))
    }
    client.release()
  }
}

/** Without a token, a timeout or a check of the answer. */
async function callProvider(name: string): Promise<void> {
  const body = JSON.stringify({ name, emptyTimeout: 7_200, departureTimeout: 7_200 })
  const call = request(`${settings.providerUrl}/twirp/livekit.RoomService/CreateRoom`, {
    agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  }).end(body)
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  JSON.parse(await bodyOf(answer))
}

serveRaw(async (incoming) => {
  const { name, values } = JSON.parse(await bodyOf(incoming)) as Replay
  const plan = plans.get(name)
  if (plan === undefined) throw new Error(`no floor ${name}`)
  await replay(plan, [...values, ...Array.from({ length: plan.freshCount }, () => randomUUID())])
  return plan.answer
})
