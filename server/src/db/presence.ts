import pg from 'pg'
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
  /** Told once for each change. */
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
  let isEnding = false
  let isLost = false
  let watching: Promise<void> | undefined

  function setLost(value: boolean): void {
    if (isLost === value) return
    isLost = value
    options.onChange?.(value)
    if (value) for (const callback of [...whenLost]) callback()
  }

  async function watchUntilEnd(): Promise<void> {
    while (!isEnding) {
      const client = connectable(options, (channel, payload) => {
        for (const listener of channels.get(channel) ?? []) listener.onNotify(payload)
      })
      try {
        await inTime(client.connect())
      } catch {
        cut(client)
        setLost(true)
        await pause.wait(CONNECT_AGAIN_MS)
        continue
      }
      setLost(false)
      const end = await stayWith(client)
      cut(client)
      // One connection may break by itself. No answer tells that others wait in vain, too.
      if (end === 'no answer') setLost(true)
    }
  }

  async function stayWith(client: pg.Client): Promise<'ended' | 'no answer'> {
    const listened = new Set<string>()
    try {
      while (!isEnding) {
        for (const channel of [...channels.keys()].filter((each) => !listened.has(each))) {
          await inTime(client.query(`listen ${pg.escapeIdentifier(channel)}`))
          listened.add(channel)
          for (const listener of channels.get(channel) ?? []) listener.onListening?.()
        }
        await inTime(client.query('select 1'))
        await pause.wait(ASK_EVERY_MS)
      }
      return 'ended'
    } catch (error) {
      return error instanceof DatabaseUnavailable ? 'no answer' : 'ended'
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
      isEnding = true
      pause.end()
      await watching
    },
  }
}

function connectable(
  { url, applicationName }: PresenceOptions,
  onNotify: (channel: string, payload: string) => void,
): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
  })
  // Whoever waits for an answer learns of it.
  client.on('error', () => {})
  client.on('notification', ({ channel, payload }) => onNotify(channel, payload ?? ''))
  return client
}

/** Ends a connection without a word to the other side, which may not be listening. */
export function cut(client: pg.ClientBase): void {
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
