import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import { ServiceError } from '../lib/service-error.ts'
import type { ImageOrder } from './decoder.process.ts'
import type { ImageVerdict } from './judge-image.ts'

/** Time limit for one image. On a slow machine, the largest images take a quarter of it. */
const DECODE_MAX_MS = 20_000
const START_MAX_MS = 20_000
/** The process is ended when no image came for this long. */
const IDLE_MS = 30_000
const RETRY_AFTER_SEC = 5

// Compiled or not, it is the sibling of this file.
const PROGRAM = new URL(`decoder.process${path.extname(import.meta.url)}`, import.meta.url)

/**
 * Decodes an image, which `load` reads when its turn comes. `undecodable` also stands for an image that takes too long or ends the
 * process. Throws 503 SERVICE_UNAVAILABLE if too many wait, or if no process can be started, and any error of `load`.
 */
export type JudgeImage = (load: () => Promise<ImageOrder>) => Promise<ImageVerdict>

/**
 * Decodes one image after another in a separate process, which sees nothing but the image: the decoder of a broken image may hang,
 * take memory or crash, and requests want answers meanwhile.
 */
export function createImageDecoder({
  decodeMaxMs = DECODE_MAX_MS,
  idleMs = IDLE_MS,
} = {}): JudgeImage {
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  const inTurn = oneAtATime('too many images wait to be decoded')

  async function running(): Promise<ChildProcess> {
    clearTimeout(idle)
    if (child?.connected === true) return child
    child = await start()
    return child
  }

  async function decode(load: () => Promise<ImageOrder>): Promise<ImageVerdict> {
    const order = await load()
    const decoder = await running()
    const answer = answerOf(decoder, decodeMaxMs)
    decoder.send(order, () => {})
    const verdict = await answer
    if (verdict === undefined) {
      letGo()
      return 'undecodable'
    }
    idle = setTimeout(letGo, idleMs).unref()
    return verdict as ImageVerdict
  }

  function letGo(): void {
    child?.kill('SIGKILL')
    child = undefined
  }

  return (load) => inTurn(() => decode(load))
}

async function start(): Promise<ChildProcess> {
  const child = fork(PROGRAM, {
    // The process gets neither the secrets of the service nor the options of its caller.
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // A failure also ends its channel.
  child.on('error', () => {})
  if ((await answerOf(child, START_MAX_MS)) !== 'ready') {
    child.kill('SIGKILL')
    throw unavailable('the process that decodes images cannot be started')
  }
  // A service that is stopping does not wait for it: it ends with the channel.
  child.unref()
  child.channel?.unref()
  return child
}

/** The next message of the process; undefined if it ends, or is silent for this long. */
async function answerOf(child: ChildProcess, maxMs: number): Promise<unknown> {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(maxMs)])
  const said = once(child, 'message', { signal }) as Promise<[{ answer: unknown }]>
  const ended = once(child, 'exit', { signal })
  try {
    const [first] = await Promise.race([said, ended.then(() => [undefined])])
    return first?.answer
  } catch {
    return undefined
  } finally {
    over.abort()
    await Promise.allSettled([said, ended])
  }
}

function unavailable(note: string): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', {
    headers: { 'retry-after': String(RETRY_AFTER_SEC) },
    note,
  })
}
