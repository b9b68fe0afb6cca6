import { Client, type ClientBase, escapeIdentifier } from 'pg'
import { DatabaseUnavailable } from './unavailable.ts'

/** Whether the database answers, and what it notifies us of: both by one connection of its own. */
export interface Presence {
  isLost(): boolean
  /** Starts to ask the database for a sign, again and again. */
  watch(): void
  /** Called whenever the database is lost. Answers how to stop that. */
  onLost(callback: () => void): () => void
  /** Hears what is notified from now on; watches too. Answers how to stop that. */
  listen(channel: string, listener: Listener): () => void
  end(): Promise<void>
}

export interface Listener {
  onNotify(payload: string): void
  /** At first, and after each gap in which notifications may have been missed. */
  onListening?(): void
}

export interface PresenceOptions {
  url: string
  applicationName: string
  /** Called once for each change. */
  onChange?: ((isLost: boolean) => void) | undefined
}

/** How often the database is asked for a sign, and how long it may take for it, in milliseconds. */
const ASK_EVERY_MS = 400
const ANSWER_MS = 1_500
const CONNECT_AGAIN_MS = 250
/** Time in which this process itself stood still is not held against the database. */
const TICK_MS = 100

export function createPresence(options: PresenceOptions): Presence {
  const channels = new Map<string, Set<Listener>>()
  const whenLost = new Set<() => void>()
  const pause = createPause()
  const ending = new AbortController()
  let isLost = false
  let watching: Promise<void> | undefined

  function setLost(value: boolean): void {
    if (isLost === value) return
    isLost = value
    options.onChange?.(value)
    if (value) for (const callback of whenLost) callback()
  }

  async function watchUntilEnd(): Promise<void> {
    while (!ending.signal.aborted) {
      const client = connectable(options, channels)
      let isConnected = false
      try {
        await inTime(client.connect())
        isConnected = true
        setLost(false)
        await stayWith(client, { channels, pause, stop: ending.signal })
      } catch (error) {
        // One connection may break alone. No answer, or no new connection, means that others wait for nothing.
        if (!isConnected || error instanceof DatabaseUnavailable) setLost(true)
      } finally {
        cut(client)
      }
      if (isLost) await pause.wait(CONNECT_AGAIN_MS)
    }
  }

  function watch(): void {
    watching ??= watchUntilEnd()
  }

  return {
    isLost: () => isLost,
    watch,
    onLost(callback) {
      whenLost.add(callback)
      return () => whenLost.delete(callback)
    },
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

interface Stay {
  channels: ReadonlyMap<string, ReadonlySet<Listener>>
  pause: Pause
  stop: AbortSignal
}

/** Listens and asks for signs until stopped. Throws when that fails. */
async function stayWith(client: Client, { channels, pause, stop }: Stay): Promise<void> {
  const listened = new Set<string>()
  while (!stop.aborted) {
    for (const channel of channels.keys()) {
      if (listened.has(channel)) continue
      await inTime(client.query(`listen ${escapeIdentifier(channel)}`))
      listened.add(channel)
      for (const listener of channels.get(channel) ?? []) listener.onListening?.()
    }
    await inTime(client.query('select 1'))
    await pause.wait(ASK_EVERY_MS)
  }
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
  // A caller that waits for an answer learns of it.
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

/** @throws {DatabaseUnavailable} when there is no answer in time */
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
