import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { World } from './world.ts'

/** A definite answer. */
export interface Answer {
  status: number
  code: string | undefined
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of any shape
  data: any
  text: string
  isReplayed: boolean
  /** Requests that it took: an earlier one may have been carried out, too. */
  attempts: number
}

/** A sender of requests. */
export interface Asker {
  world: Pick<World, 'places'>
  authorization: string
  /** Requests that were sent more than once, as nobody knew if they had succeeded. */
  repeated: number
  /** Answers that are wrong whatever the model says. */
  problems: string[]
}

interface Request {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  body?: object
  /** A ticket or a token; the tenant's API key without it. */
  bearer?: string
  key?: string
}

const DEADLINE_MS = 120_000
const RETRY_MS = 150
let turn = 0

/** Repeats the request at another process until there is a definite answer, as a careful client does. */
export async function ask(asker: Asker, path: string, request: Request = {}): Promise<Answer> {
  const { world } = asker
  const endMs = performance.now() + DEADLINE_MS
  const apis = world.places.filter(({ role }) => role === 'api')
  let last = ''
  for (let attempts = 1; performance.now() < endMs; attempts += 1) {
    turn += 1
    const { origin } = apis[turn % apis.length]?.process ?? { origin: '' }
    const answer = await once(asker, `${origin}/api/v1${path}`, request).catch((error: unknown) => {
      last = String(error)
    })
    if (answer !== undefined) {
      if (answer.status === 500) asker.problems.push(`500 of ${path}: ${answer.text}`)
      if (!isVague(answer)) return { ...answer, attempts }
      last = answer.text
    }
    if (attempts === 1) asker.repeated += 1
    await delay(RETRY_MS)
  }
  throw new Error(`no answer of ${request.method ?? 'GET'} ${path}: ${last}`)
}

const isVague = ({ status, code }: Omit<Answer, 'attempts'>) =>
  [429, 502, 503].includes(status) || code === 'IDEMPOTENCY_KEY_IN_USE'

async function once(
  asker: Asker,
  url: string,
  { method = 'GET', body, bearer, key }: Request,
): Promise<Omit<Answer, 'attempts'>> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const response = await fetch(url, {
    method,
    headers: {
      authorization: bearer === undefined ? asker.authorization : `Bearer ${bearer}`,
      ...(body !== undefined && { 'content-type': type }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  const text = await response.text()
  const { status, headers } = response
  const { data, error } = text === '' ? {} : JSON.parse(text)
  const isReplayed = headers.get('idempotent-replayed') === 'true'
  return { status, code: error?.code, data, text, isReplayed }
}

/** Repeats a request with its key and notes a replay that differs. */
export async function askTwice(asker: Asker, path: string, request: Request): Promise<Answer> {
  const key = randomUUID()
  const first = await ask(asker, path, { method: 'POST', key, ...request })
  if (first.status >= 300) return first
  const again = await ask(asker, path, { method: 'POST', key, ...request })
  const isSame = again.status === first.status && again.text === first.text && again.isReplayed
  if (!isSame) asker.problems.push(`replay of ${path}: ${first.text} then ${again.text}`)
  return first
}
