import { setTimeout as delay } from 'node:timers/promises'
import { openHttpConnection, requestBytes } from '../http-connection.ts'
import { cpuSecOf } from '../process-usage.ts'
import { newMessage } from './message.ts'
import { openReader, openSlowReader, type Reader } from './reader.ts'
import type { Side } from './stage.ts'

/** Time that the last message may take to reach every reader. */
const ARRIVAL_MAX_MS = 60_000

export interface Plan {
  readers: number
  messages: number
  /** Messages per second. */
  rate: number
  /** The text of each message: a character, and how often it is repeated. */
  text: readonly [string, number]
  /** True if one more reader opens its stream and then reads nothing. */
  hasSlowReader: boolean
}

export interface Delivery {
  /** Milliseconds from the start of the POST to the arrival, for each message and reader. */
  timesMs: number[]
  /** CPU of the measured process for each message that reached a reader. */
  cpuMs: number
  bytesPerMessage: number
  /** POSTs that began late, because the previous one was not answered when they were due. */
  delayed: number
  /** Undefined without a slow reader. */
  wasSlowReaderCut: boolean | undefined
}

/** Throws unless every reader got exactly the messages, in order. */
export async function deliver(side: Side, plan: Plan): Promise<Delivery> {
  const { sources } = side
  const needed = plan.readers + (plan.hasSlowReader ? 1 : 0)
  const lastSource = sources[needed - 1]
  if (lastSource === undefined) throw new Error('there are not as many readers')
  const slow = plan.hasSlowReader ? await openSlowReader(lastSource) : undefined
  const readers = await Promise.all(
    sources.slice(0, plan.readers).map((source) => openReader(source, plan.messages)),
  )
  try {
    const cpuBefore = cpuSecOf(side.pid)
    const sent = await post(side, plan)
    await within(ARRIVAL_MAX_MS, Promise.all(readers.map(({ complete }) => complete)))
    const cpuMs = (cpuSecOf(side.pid) - cpuBefore) * 1000
    const timesMs = readers.flatMap((reader) => timesOf(reader, sent))
    return {
      timesMs,
      cpuMs: cpuMs / timesMs.length,
      bytesPerMessage: (readers[0]?.bytes() ?? 0) / plan.messages,
      delayed: sent.filter(({ wasDelayed }, at) => wasDelayed && at > 0).length,
      wasSlowReaderCut: await slow?.wasCutBefore(sent.at(-1)?.id ?? ''),
    }
  } finally {
    for (const reader of readers) reader.close()
  }
}

interface Sent {
  id: string
  /** The `performance.now()` at the start of the POST. */
  fromMs: number
  /** It became due before the previous one was answered. */
  wasDelayed: boolean
}

/** Posts one message after the other at the given rate, as one page would. */
async function post(side: Side, { messages, rate, text }: Plan): Promise<Sent[]> {
  const connection = await openHttpConnection(side.port)
  const sent: Sent[] = []
  const startMs = performance.now()
  try {
    for (let n = 0; n < messages; n += 1) {
      const body = newMessage(text)
      const request = requestBytes({ method: 'POST', ...side.post, body })
      const dueMs = startMs + (n * 1000) / rate
      const restMs = dueMs - performance.now()
      if (restMs > 0) await delay(restMs)
      sent.push({ id: body.id, fromMs: performance.now(), wasDelayed: restMs <= 0 })
      const { status, body: answer } = await connection.exchange(request)
      if (status !== 201) throw new Error(`${status} ${answer}`)
    }
    return sent
  } finally {
    connection.close()
  }
}

async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const aborter = new AbortController()
  const late = delay(timeoutMs, undefined, { signal: aborter.signal }).then(() => {
    throw new Error(`messages are missing after ${timeoutMs} ms`)
  })
  // The code below aborts it.
  late.catch(() => {})
  try {
    await Promise.race([work, late])
  } finally {
    aborter.abort()
  }
}

/** Throws unless this reader got every sent message once, in order. */
export function timesOf(
  { arrivals }: Pick<Reader, 'arrivals'>,
  sent: readonly Omit<Sent, 'wasDelayed'>[],
): number[] {
  if (arrivals.length !== sent.length) {
    throw new Error(`a reader got ${arrivals.length} messages of ${sent.length}`)
  }
  return arrivals.map(({ id, atMs }, at) => {
    const message = sent[at]
    if (message?.id !== id) throw new Error(`a reader got another message at place ${at}`)
    return atMs - message.fromMs
  })
}
