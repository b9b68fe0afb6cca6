import { Client, type ClientBase, escapeIdentifier } from 'pg'
import { DatabaseLost, DatabaseUnavailable } from './unavailable.ts'

/** Watches if the database answers, and receives its notifications, both on a connection of its own. */
export interface Presence {
  /** The reason not to use the database; undefined while it is reachable. */
  loss(): DatabaseLost | undefined
  /** A number that grows whenever open connections may lead to a server that takes no writes. */
  era(): number
  /** Begins another era, because a connection of this one was refused a write. */
  doubt(era: number): void
  /** Starts to poll the database. */
  watch(): void
  /** Calls back whenever the database is lost. Returns a function that unsubscribes. */
  onLost(callback: () => void): () => void
  /** Subscribes to a channel; watches too. Returns a function that unsubscribes. */
  listen(channel: string, listener: Listener): () => void
  end(): Promise<void>
}

export interface Listener {
  onNotify(payload: string): void
  /** Called at first, and after each gap in which notifications may have been missed. */
  onListening?(): void
}

export interface PresenceOptions {
  url: string
  applicationName: string
  /** Called with each change. */
  onChange?: ((loss: DatabaseLost | undefined) => void) | undefined
}

/** How often the database is polled, and how long its answer may take, in milliseconds. */
const ASK_EVERY_MS = 400
const ANSWER_MS = 1_500
const CONNECT_AGAIN_MS = 250
/** Time in which this process itself stood still does not count against the database. */
const TICK_MS = 100
export const ASK_READ_ONLY = `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`

export function createPresence(options: PresenceOptions): Presence {
  const channels = new Map<string, Set<Listener>>()
  const state = createState(options.onChange)
  const pause = createPause()
  const ending = new AbortController()
  let watching: Promise<void> | undefined

  async function watchUntilEnd(): Promise<void> {
    while (!ending.signal.aborted) {
      const client = connectable(options, channels)
      let isConnected = false
      try {
        await inTime(client.connect())
        isConnected = true
        await inTime(requireWritable(client))
        state.set(undefined)
        await stayWith(client, channels, pause, ending.signal)
      } catch (error) {
        // A single broken connection is no loss. No answer, or no new connection, means that others would wait in vain.
        if (error instanceof DatabaseLost) state.set(error)
        else if (!isConnected || error instanceof DatabaseUnavailable) {
          state.set(new DatabaseLost(false, { cause: error }))
        }
      } finally {
        cut(client)
      }
      if (state.loss() !== undefined) await pause.wait(CONNECT_AGAIN_MS)
    }
  }

  function watch(): void {
    watching ??= watchUntilEnd()
  }

  return {
    ...state,
    watch,
    listen(channel, listener) {
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(listener))
      watch()
      pause.end()
      return () => listeners.delete(listener)
    },
    async end() {
      ending.abort()
      pause.end()
      await watching
    },
  }
}

/** The knowledge about the database that all pools share. */
function createState(onChange: PresenceOptions['onChange']) {
  const whenLost = new Set<() => void>()
  let loss: DatabaseLost | undefined
  let era = 0
  return {
    loss: () => loss,
    era: () => era,
    doubt(doubted: number) {
      if (doubted === era) era += 1
    },
    onLost(callback: () => void) {
      whenLost.add(callback)
      return () => whenLost.delete(callback)
    },
    set(value: DatabaseLost | undefined) {
      const isKnown = loss?.isReadOnly === value?.isReadOnly
      loss = value
      if (isKnown) return
      // Also at the return: connections that were opened meanwhile may lead elsewhere.
      era += 1
      onChange?.(value)
      if (value !== undefined) for (const callback of whenLost) callback()
    },
  }
}

/** Listens and asks for signs until stopped. Throws when that fails. */
async function stayWith(
  client: Client,
  channels: ReadonlyMap<string, ReadonlySet<Listener>>,
  pause: Pause,
  stop: AbortSignal,
): Promise<void> {
  const listened = new Set<string>()
  while (!stop.aborted) {
    for (const channel of channels.keys()) {
      if (listened.has(channel)) continue
      await inTime(client.query(`listen ${escapeIdentifier(channel)}`))
      listened.add(channel)
      for (const listener of channels.get(channel) ?? []) listener.onListening?.()
    }
    await inTime(requireWritable(client))
    await pause.wait(ASK_EVERY_MS)
  }
}

/**
 * After a failover, the server of a connection may be a standby that answers everything but accepts no writes: a new connection
 * finds the primary. Asks as libpq does for `target_session_attrs=read-write`. @throws {DatabaseLost}
 */
export async function requireWritable(
  client: Pick<ClientBase, 'query'>,
  timeoutMs = 0,
): Promise<void> {
  const asked = { text: ASK_READ_ONLY, query_timeout: timeoutMs }
  const { rows } = await client.query<{ isReadOnly: boolean }>(asked)
  if (rows[0]?.isReadOnly === true) throw new DatabaseLost(true)
}

function connectable(
  { url, applicationName }: PresenceOptions,
  channels: ReadonlyMap<string, ReadonlySet<Listener>>,
): Client {
  const client = new Client({
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
  })
  // The caller that waits for the answer gets the error.
  client.on('error', () => {})
  client.on('notification', ({ channel, payload }) => {
    for (const listener of channels.get(channel) ?? []) listener.onNotify(payload ?? '')
  })
  return client
}

/** Closes a connection without notifying the other side, which may not be listening. */
export function cut(client: ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}

/** @throws {DatabaseUnavailable} if there is no answer in time */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const tick = (left: number): void => {
      if (left === 0) reject(new DatabaseUnavailable('the database does not answer'))
      else timer = setTimeout(tick, TICK_MS, left - 1)
    }
    tick(ANSWER_MS / TICK_MS)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
    answer.catch(() => {})
  }
}

interface Pause {
  wait(ms: number): Promise<void>
  /** Ends a wait, or the next one if nobody waits. */
  end(): void
}

function createPause(): Pause {
  let isEnded = false
  let wake: (() => void) | undefined
  return {
    async wait(ms) {
      if (!isEnded) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isEnded = false
      wake = undefined
    },
    end() {
      isEnded = true
      wake?.()
    },
  }
}
