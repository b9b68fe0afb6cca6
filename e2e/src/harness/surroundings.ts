import type { BrowserContext, Page, Route } from 'playwright-core'
import { join, type Person, type Surroundings } from './browser.ts'
import { connection, refusal, trouble } from './room-page.ts'
import type { TestEnvironment } from './test-environment.ts'
import { TRANSLATOR } from './translator.ts'
import { SOON } from './wait.ts'

/** A network, a machine or a browser as people have them, which is not as a room page would like it. */
export interface Surrounding {
  name: string
  /** The device on which it matters. */
  device?: Pick<Surroundings, 'isPhone'>
  /** Prepares the browser before the page opens. Without `strike`, it holds from then on. */
  arrange: (context: BrowserContext, env: TestEnvironment) => Promise<unknown>
  /** Begins at a moment that the test chooses; the returned function ends it. */
  strike?: (person: Person) => Promise<() => Promise<unknown>>
  /** Waits for the words that a person reads who presses Join while it lasts. */
  atEntry?: (page: Page) => Promise<unknown>
  /** Waits for what a person in the room sees while it lasts. */
  inRoom?: (page: Page) => Promise<unknown>
  /** It affects only the way in. */
  isOnlyAtEntry?: boolean
}

const runs = (content: string) => async (context: BrowserContext) =>
  context.addInitScript({ content })

export const translator = {
  name: 'a translator',
  arrange: runs(TRANSLATOR),
} satisfies Surrounding

/** A machine whose clock is set back by its time service. Its monotonic clock goes on. */
export const clockJump = {
  name: 'a clock that jumps',
  arrange: runs(`{
    const RealDate = Date
    let behindMs = 0
    globalThis.Date = class extends RealDate {
      constructor(...given) {
        if (given.length === 0) super(RealDate.now() - behindMs)
        else super(...given)
      }
      static now() {
        return RealDate.now() - behindMs
      }
    }
    globalThis.setClockBack = (ms) => (behindMs = ms)
  }`),
  strike: async ({ page }: Person) => {
    await page.evaluate('setClockBack(20 * 60_000)')
    return async () => {}
  },
} satisfies Surrounding

/** The size of the words that a person has set in their browser. */
function textAt(percent: number): Surrounding {
  return {
    name: `text at ${percent} %`,
    device: { isPhone: true },
    arrange: runs(`document.addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.fontSize = '${percent}%'
    })`),
  }
}

export const text150 = textAt(150)
export const text200 = textAt(200)

function proxy(name: string, treat: (route: Route) => Promise<void> | undefined) {
  const arrange = async (context: BrowserContext) => context.route('**/live/stream', treat)
  return { name, arrange } satisfies Surrounding
}

/** A virus scanner that waits for the end of an answer that has none. */
export const bufferingProxy = proxy('a proxy that holds streams back', () => undefined)
export const refusingProxy = proxy('a proxy that refuses streams', (route) =>
  route.fulfill({ status: 403, body: '<html>No streams</html>' }),
)
export const cuttingProxy = proxy('a proxy that cuts streams off', (route) => route.abort())

/**
 * So many tabs, each in a room of its own: the person's is the last. A browser has six connections to a server with HTTP/1.1, over
 * all its tabs.
 */
export const tabs = (count: number): Surrounding => ({
  name: `${count} tabs`,
  arrange: async (context, { tenant }) => {
    for (let other = 1; other < count; other += 1) {
      const { id: roomId } = await tenant.book()
      const link = await tenant.link({ roomId, role: 'platform_observer', name: 'Ope' })
      const page = await context.newPage()
      await page.goto(link)
      await join({ page })
    }
  },
})

/** A firewall that lets through web pages, but neither UDP nor TCP of media. */
export const blockedMedia = {
  name: 'a network that blocks media',
  isOnlyAtEntry: true,
  arrange: runs(`{
    const Original = RTCPeerConnection
    globalThis.firewall = {}
    // Without a TURN server, a connection that may only be relayed finds no way.
    const through = (wish) =>
      globalThis.firewall.blocksMedia ? { ...wish, iceTransportPolicy: 'relay' } : wish
    globalThis.RTCPeerConnection = class extends Original {
      constructor(wish) {
        super(through(wish))
      }
      setConfiguration(wish) {
        super.setConfiguration(through(wish))
      }
    }
  }`),
  strike: async ({ page }: Person) => blockBy(page, 'blocksMedia'),
  atEntry: async (page: Page) => trouble(page, 'media').waitFor(SOON),
} satisfies Surrounding

/** A proxy that lets through requests, but no WebSocket. */
export const blockedSockets = {
  name: 'a network that blocks WebSocket',
  arrange: runs(`{
    const Original = WebSocket
    globalThis.firewall = { sockets: [] }
    globalThis.WebSocket = class extends Original {
      constructor(url, protocols) {
        super(globalThis.firewall.blocksSockets ? 'ws://127.0.0.1:9' : url, protocols)
        globalThis.firewall.sockets.push(this)
      }
    }
  }`),
  strike: async ({ page }: Person) => {
    const allow = await blockBy(page, 'blocksSockets')
    await page.evaluate('for (const socket of firewall.sockets) socket.close()')
    return allow
  },
  atEntry: async (page: Page) => trouble(page, 'sockets').waitFor(SOON),
  inRoom: async (page: Page) => connection(page, 'reconnecting').waitFor(SOON),
} satisfies Surrounding

async function blockBy(page: Page, which: string): Promise<() => Promise<unknown>> {
  await page.evaluate(`firewall.${which} = true`)
  return async () => page.evaluate(`firewall.${which} = false`)
}

const PORTAL = { status: 200, contentType: 'text/html', body: '<html>Please sign in</html>' }

const signIn = (route: Route) => route.fulfill(PORTAL)

/** A Wi-Fi whose sign-in has run out: it answers every request with a page of its own, and lets no WebSocket through. */
export const captivePortal = {
  name: 'a captive portal',
  arrange: blockedSockets.arrange,
  strike: async (person: Person) => {
    const { context, page } = person
    await context.route('**/*', signIn)
    const allow = await blockedSockets.strike(person)
    await announceNetwork(page)
    return async () => {
      await allow()
      await context.unroute('**/*', signIn)
      await announceNetwork(page)
    }
  },
  atEntry: async (page: Page) => {
    await refusal(page, 'unavailable').waitFor(SOON)
    await trouble(page, 'service').waitFor(SOON)
  },
  inRoom: async (page: Page) => connection(page, 'reconnecting').waitFor(SOON),
} satisfies Surrounding

/** The browser has joined a network, or may use it now. */
async function announceNetwork(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('online')))
}

/** A tab that the browser puts to sleep: nothing runs in it. */
export const frozenPage = {
  name: 'a frozen page',
  arrange: runs(`{
    globalThis.freezes = 0
    document.addEventListener('freeze', () => (globalThis.freezes += 1))
  }`),
  strike: async ({ context, page }: Person) => {
    const freezes = async () => page.evaluate<number>('freezes')
    const before = await freezes()
    const front = await context.newPage()
    await pretendVisible(page, false)
    await front.bringToFront()
    const debug = await context.newCDPSession(page)
    await debug.send('Page.setWebLifecycleState', { state: 'frozen' })
    return async () => {
      await debug.send('Page.setWebLifecycleState', { state: 'active' })
      await front.close()
      await page.bringToFront()
      await pretendVisible(page, true)
      if ((await freezes()) === before) throw new Error('the browser has not frozen the page')
    }
  },
} satisfies Surrounding

/** Playwright shows every page as visible, and offers no way to end that. A browser freezes hidden pages only. */
async function pretendVisible(page: Page, enabled: boolean): Promise<void> {
  const { _connection: connection } = page as unknown as {
    _connection: { toImpl(page: Page): { delegate: { _mainFrameSession: { _client: Client } } } }
  }
  const client = connection.toImpl(page).delegate['_mainFrameSession']['_client']
  await client.send('Emulation.setFocusEmulationEnabled', { enabled })
}

interface Client {
  send(method: string, parameters: object): Promise<unknown>
}

export const SURROUNDINGS: readonly Surrounding[] = [
  translator,
  clockJump,
  text150,
  text200,
  bufferingProxy,
  refusingProxy,
  cuttingProxy,
  tabs(7),
  captivePortal,
  blockedMedia,
  blockedSockets,
  frozenPage,
]
