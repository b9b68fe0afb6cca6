import type { RoomConnectOptions, RoomOptions } from 'livekit-client'
import type { Browser, JSHandle, Page } from 'playwright-core'
import type { Client } from './page.ts'
import { type CaptureEvent, until } from './until.ts'

export interface BrowserClient {
  page: Page
  /** Runs in the page; the function must bring everything it needs with it. */
  run<R>(work: (client: Client) => R | Promise<R>): Promise<R>
  run<R, I>(work: (client: Client, input: I) => R | Promise<R>, input: I): Promise<R>
  /** Waits until the condition holds in the page. */
  until(fact: string, holds: (client: Client) => boolean | Promise<boolean>): Promise<void>
  until<I>(
    fact: string,
    holds: (client: Client, input: I) => boolean | Promise<boolean>,
    input: I,
  ): Promise<void>
  /** Waits for an event line that begins with the given text. */
  sees(line: string): Promise<void>
  seen(): Promise<string[]>
  /** Waits until the picture moves on, counted from now. */
  showsFrames(identity: string, source?: string): Promise<void>
  /** Waits until sound arrives, counted from now. */
  hears(identity: string): Promise<void>
  sid(): Promise<string>
  close(): Promise<void>
}

export interface Entry {
  url: string
  token: string
  options?: RoomOptions
  connect?: RoomConnectOptions
}

/** Opens a page of its own context that holds the client library, not connected yet. */
export async function openClient(browser: Browser, pageUrl: string): Promise<BrowserClient> {
  const context = await browser.newContext({ permissions: ['camera', 'microphone'] })
  const page = await context.newPage()
  await page.goto(pageUrl)
  const handle = await page.evaluateHandle(() => globalThis.client)
  return createBrowserClient(page, handle)
}

function createBrowserClient(page: Page, handle: JSHandle<Client>): BrowserClient {
  const evaluate = handle.evaluate.bind(handle)
  const seen = (): Promise<string[]> => evaluate(({ seen }) => seen)
  const wait = async <T>(fact: CaptureEvent<T>): Promise<void> => {
    await until(fact).catch(async (error: Error) => {
      throw new Error(`${error.message}; events: ${(await seen()).join(' | ')}`, { cause: error })
    })
  }
  // The overloads of the interface are wider than what one implementation can be typed with.
  const run = ((work: never, input: unknown) => evaluate(work, input)) as BrowserClient['run']

  return {
    page,
    run,
    seen,
    async until(fact: string, holds: unknown, input?: unknown) {
      await wait({ fact, read: () => evaluate(holds as never, input), holds: Boolean })
    },
    async sees(line) {
      const isSeen = (lines: string[]): boolean => lines.some((found) => found.startsWith(line))
      await wait({ fact: line, read: seen, holds: isSeen })
    },
    async showsFrames(identity, source = 'camera') {
      const read = (): Promise<number> =>
        evaluate(({ framesOf }, of) => framesOf(of.identity, of.source), { identity, source })
      const before = await read()
      // The element is a new one after a reconnect, and counts from nothing.
      const isMoving = (frames: number): boolean =>
        frames >= before + 3 || (frames < before && frames >= 3)
      await wait({ fact: `frames of ${identity} ${source}`, read, holds: isMoving })
    },
    async hears(identity) {
      const read = (): Promise<number> => evaluate(({ audioOf }, of) => audioOf(of), identity)
      const before = await read()
      await wait({
        fact: `sound of ${identity}`,
        read,
        holds: (energy) => energy !== before && energy > 0,
      })
    },
    sid: () => evaluate(({ room }) => room.localParticipant.sid),
    close: () => page.context().close(),
  }
}
