import { parseArgs } from 'node:util'
import { startDatabase } from '../database.ts'
import { requestBytes } from '../http-connection.ts'
import { newMessage } from '../live-stream/message.ts'
import { startProviderStub } from '../provider-stub.ts'
import { startServiceProcess } from '../service-process.ts'
import { type BenchTenant, enterRoom, livePath, makeTenant } from '../tenant.ts'
import { type Flood, startFlood } from './flood.ts'
import { ACTS, type Act, reportFlood, type Times } from './report.ts'

const SENT = {
  messages: () => newMessage(['接', 40]),
  events: () => ({ event_type: 'hand.raised' }),
}
type Sent = keyof typeof SENT

const KINDS = Object.keys(SENT) as Sent[]

/** Answers to wait for before measuring. By then the sender is rate-limited and the flood is steady. */
const STANDS_AT = 256

/**
 * Measures a ban, a close and another tenant's requests while one participant sends without pause, and again without
 * that participant, in turn.
 */
export async function measureFlood(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      parallel: { type: 'string', default: '128' },
      rounds: { type: 'string', default: '20' },
    },
  })
  const parallel = Number(values.parallel)
  const rounds = Number(values.rounds)
  const stage = await setStage()
  try {
    const quiet = emptyTimes()
    const flooded = { messages: emptyTimes(), events: emptyTimes() }
    for (const act of Array.from({ length: rounds }, () => ACTS).flat()) {
      quiet[act].push(await timeAct(stage, act))
      for (const sent of KINDS) {
        flooded[sent][act].push(await timeAct(stage, act, { sent, parallel }))
      }
    }
    reportFlood({ quiet, flooded }, { parallel, rounds })
  } finally {
    await stage.close()
  }
}

const emptyTimes = () => Object.fromEntries(ACTS.map((act) => [act, []])) as unknown as Times

interface Stage {
  port: number
  attacked: BenchTenant
  other: BenchTenant
  close(): Promise<void>
}

async function setStage(): Promise<Stage> {
  const closing = new AsyncDisposableStack()
  try {
    const database = await startDatabase({ isDurable: true })
    closing.defer(database.stop)
    const provider = await startProviderStub()
    closing.defer(provider.stop)
    const { port, stop } = await startServiceProcess(database, provider)
    closing.defer(stop)
    const attacked = await makeTenant(database.url, port)
    const other = await makeTenant(database.url, port)
    return { port, attacked, other, close: async () => closing.disposeAsync() }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

/** Times an act in milliseconds, in its own room. A room can be closed only once, and a person banned only once. */
async function timeAct(
  { port, attacked, other }: Stage,
  act: Act,
  attack?: { sent: Sent; parallel: number },
): Promise<number> {
  const { caller } = attacked
  const { id: roomId } = await caller.book()
  const authorization = await enterRoom(attacked, { port, roomId, role: 'panelist', name: 'P' })
  const [panelist] = await caller.participants(roomId)
  const { id: otherRoomId } = await other.caller.book()
  const acts: Record<Act, () => Promise<unknown>> = {
    ban: async () =>
      done(
        await caller.call('POST', `/rooms/${roomId}/participants/${panelist?.id}/ban`, {
          reason: 'bench',
        }),
      ),
    close: async () =>
      done(await caller.call('POST', `/rooms/${roomId}/close`, { reason: 'bench' })),
    "another tenant's get": async () =>
      done(await other.caller.call('GET', `/rooms/${otherRoomId}`)),
    "another tenant's booking": () => other.caller.book(),
  }
  const flood = attack && (await startFlood({ port, connections: attack.parallel, request }))

  function request(): Buffer {
    const sent = attack?.sent ?? 'messages'
    const path = `${livePath(roomId)}/${sent}`
    return requestBytes({ method: 'POST', path, authorization, body: SENT[sent]() })
  }
  try {
    if (flood !== undefined) await untilItStands(flood)
    const fromMs = performance.now()
    await acts[act]()
    return performance.now() - fromMs
  } finally {
    await flood?.end()
  }
}

async function done(answer: Response): Promise<void> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status} ${text}`)
}

async function untilItStands({ statuses }: Flood): Promise<void> {
  const answers = () => [...statuses.values()].reduce((sum, count) => sum + count, 0)
  while (answers() < STANDS_AT) await new Promise((resolve) => setTimeout(resolve, 5))
}
