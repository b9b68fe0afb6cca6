import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { FEED_ONLY_DATA } from '@interview-room/contract/retention.ts'
import { Webhook } from 'standardwebhooks'
import { UsageError } from './cli-error.ts'
import type { Client } from './client.ts'
import { ApiError, ConnectionError } from './errors.ts'

interface ListenOptions {
  to?: string | undefined
  state?: string | undefined
  all?: boolean | undefined
}

/** The state file: a later call continues from it. */
interface State {
  /** Signs the forwarded webhooks. */
  secret: string
  /** The last event that was forwarded; null before the first. */
  after: string | null
}

type Page = Awaited<ReturnType<Client['listEvents']>>
type Event = Page['items'][number]

interface Forwarder {
  to: string
  file: string
  state: State
  signal: AbortSignal
}

const STATE_FILE = '.interview-room.json'
const PAGE_LIMIT = 100
const POLL_MS = 1_000
const PAUSE_MAX_MS = 30_000
/** The service waits as long for a receiver. */
const ANSWER_MS = 15_000
const TOO_MANY = 429
const SERVER_ERROR = 500

/**
 * Forwards events to a receiver as signed webhooks, until the signal aborts. It polls the feed, so this machine needs
 * no public address. Throws UsageError, and ApiError if a retry would not help.
 */
export async function listen(
  client: Pick<Client, 'listEvents'>,
  { to, state: file = STATE_FILE, all = false }: ListenOptions,
  signal: AbortSignal,
): Promise<void> {
  if (to === undefined || !/^https?:/.test(to) || !URL.canParse(to)) {
    throw new UsageError(
      '--to must be the address of your receiver, such as http://localhost:3000/hooks',
    )
  }
  const known = readState(file)
  const state = known ?? { secret: `whsec_${randomBytes(24).toString('base64')}`, after: null }
  const forwarder = { to, file, state, signal }
  try {
    if (known === undefined && !all) state.after = await newestEvent(client, signal)
    writeState(forwarder)
    print(`secret ${state.secret}`)
    print(`forwarding to ${to}`)
    await forwardAll(client, forwarder).catch((error: unknown) => refusePlace(error, file))
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Explains a refused position: the file belongs to another tenant or service, or is older than the feed. */
function refusePlace(error: unknown, file: string): never {
  const isPlace = error instanceof ApiError && error.details.some(({ field }) => field === 'after')
  if (!isPlace) throw error
  throw new UsageError(
    `the event at which ${file} continues is not in this feed: delete the file, or name another one with --state`,
  )
}

async function forwardAll(client: Pick<Client, 'listEvents'>, forwarder: Forwarder): Promise<void> {
  const { state, signal } = forwarder
  while (!signal.aborted) {
    const { items } = await pageAfter(client, state.after, signal)
    for (const event of items) {
      if (!Object.hasOwn(FEED_ONLY_DATA, event.type)) await forward(forwarder, event)
      state.after = event.id
      writeState(forwarder)
    }
    if (items.length === 0) await delay(POLL_MS, undefined, { signal })
  }
}

/** Reads to the end of the feed, so that forwarding starts with events from now on. Null if the feed is empty. */
async function newestEvent(
  client: Pick<Client, 'listEvents'>,
  signal: AbortSignal,
): Promise<string | null> {
  let newest: string | null = null
  for (;;) {
    const { items }: Page = await pageAfter(client, newest, signal)
    const last = items.at(-1)
    if (last === undefined) return newest
    newest = last.id
  }
}

/** Retries with growing pauses while the service does not answer. */
async function pageAfter(
  client: Pick<Client, 'listEvents'>,
  after: string | null,
  signal: AbortSignal,
): Promise<Page> {
  return untilItAnswers('the service', signal, () =>
    client.listEvents({ query: { limit: PAGE_LIMIT, ...(after !== null && { after }) }, signal }),
  )
}

async function forward({ to, state, signal }: Forwarder, event: Event): Promise<void> {
  const body = JSON.stringify(event)
  const { status } = await untilItAnswers('your receiver', signal, async () => {
    const at = new Date()
    const init = {
      method: 'POST',
      // The service does not follow redirects either.
      redirect: 'manual' as const,
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': event.id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(state.secret).sign(event.id, at, body),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    }
    const answer = await fetch(to, init).catch((cause: unknown) => {
      throw new ConnectionError('no answer', { cause })
    })
    // An unread body would keep its connection open.
    await answer.body?.cancel()
    return answer
  })
  print(`${event.type} ${event.id} ${status}`)
}

async function untilItAnswers<T>(
  who: string,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<T> {
  for (let pauseMs = POLL_MS; ; pauseMs = Math.min(PAUSE_MAX_MS, pauseMs * 2)) {
    try {
      return await ask()
    } catch (error) {
      signal.throwIfAborted()
      if (!mayPass(error)) throw error
      process.stderr.write(`${who} does not answer, next attempt in ${pauseMs / 1000} s\n`)
      await delay(pauseMs, undefined, { signal })
    }
  }
}

function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === TOO_MANY || error.status >= SERVER_ERROR
  return error instanceof ConnectionError
}

/** Undefined at the first call. Throws UsageError if the file is not a state file. */
function readState(file: string): State | undefined {
  if (!existsSync(file)) return undefined
  try {
    const { secret, after } = JSON.parse(readFileSync(file, 'utf8')) as Partial<State>
    if (typeof secret === 'string') return { secret, after: after ?? null }
  } catch {
    // Refused below.
  }
  throw new UsageError(
    `${file} is not a state file of this command: delete it, or name another one`,
  )
}

/** Written atomically: after a crash the file has the old position or the new one. */
function writeState({ file, state }: Forwarder): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(state)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
