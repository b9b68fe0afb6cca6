import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import {
  control,
  joinButton,
  liveRoom,
  panel,
  panelButton,
  titledPage,
} from './harness/room-page.ts'
import type { Room } from './harness/tenant.ts'
import { useTestEnvironment, type Visit } from './harness/test-environment.ts'
import { SOON } from './harness/wait.ts'
import { startText } from './harness/words.ts'

type Obstacle = 'slow' | 'lost' | 'failed' | 'tooOld' | 'broken'

const SCRIPTS = /\/assets\/room-[\w-]+\.js$/
const STYLES = /\/assets\/[\w-]+\.css$/
/** Between a loss and the first attempt to load the page again, as `web/src/start/watch-start.ts` has it. */
const ATTEMPT_MS = 3_000

const env = useTestEnvironment()
let room: Room

beforeAll(async () => {
  room = await env.tenant.book()
})

const open = async (visit?: Visit): Promise<Page> =>
  (await env.open({ roomId: room.id, role: 'panelist', name: 'Pana' }, visit)).page
const notice = (page: Page, why: Obstacle) =>
  titledPage(
    page,
    startText((t) => t[why].title),
  )
const reloadButton = (page: Page) => page.getByRole('button', { name: startText((t) => t.reload) })

/** Fails the first request for each of these. */
function losing(address: RegExp) {
  const lost = new Set<string>()
  return async (context: BrowserContext) =>
    context.route(address, async (route) => {
      const url = route.request().url()
      if (lost.has(url)) return route.continue()
      lost.add(url)
      return route.abort('connectionreset')
    })
}

/** Runs in the page. A style sheet that failed to load has no readable rules. */
function listLostStyles(): string[] {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')
  return [...links].flatMap(({ href, sheet }) => {
    try {
      return (sheet?.cssRules.length ?? 0) > 0 ? [] : href
    } catch {
      return href
    }
  })
}

describe('a page whose scripts do not load', () => {
  test('says so, and starts automatically as soon as they load', async () => {
    const page = await open({ prepare: losing(SCRIPTS) })
    await notice(page, 'lost').waitFor(SOON)
    await joinButton(page).waitFor(SOON)
  })

  test('gets its styles as soon as they load', async () => {
    const page = await open({ prepare: losing(STYLES) })
    await joinButton(page).waitFor(SOON)
    const unstyled = () => page.evaluate(listLostStyles)
    expect(await unstyled()).not.toEqual([])
    await expect.poll(unstyled, SOON).toEqual([])
  })

  test('asks the person, once loading it again has not helped four times', async () => {
    let pages = 0
    const page = await open({
      async prepare(context) {
        await context.clock.install()
        context.on('request', (request) => (pages += request.isNavigationRequest() ? 1 : 0))
        // The network delivers the modules of the first script, but the page never gets it.
        await context.route(SCRIPTS, (route) =>
          route.request().resourceType() === 'script' ? route.abort() : route.continue(),
        )
      },
    })
    for (let reloads = 0; reloads < 4; reloads += 1) {
      await notice(page, 'lost').waitFor(SOON)
      const reloaded = page.waitForEvent('load')
      await page.clock.runFor(ATTEMPT_MS)
      await reloaded
    }
    await notice(page, 'lost').waitFor(SOON)
    await page.clock.runFor(ATTEMPT_MS)
    await notice(page, 'failed').waitFor(SOON)
    expect(pages).toBe(5)
    await expectAccessible(page, 'a page that does not start')
    await page.context().unroute(SCRIPTS)
    await reloadButton(page).click()
    await joinButton(page).waitFor(SOON)
  })

  test('says that it is still loading, and continues when they arrive', async () => {
    const arrival = Promise.withResolvers<void>()
    const opened = Promise.withResolvers<Page>()
    const opening = open({
      async prepare(context) {
        context.once('page', opened.resolve)
        await context.route(SCRIPTS, async (route) => {
          await arrival.promise
          await route.continue()
        })
      },
    })
    const page = await opened.promise
    await notice(page, 'slow').waitFor(SOON)
    await reloadButton(page).waitFor()
    arrival.resolve()
    await joinButton(page).waitFor(SOON)
    await opening
  })
})

describe('a page in a browser that cannot show it', () => {
  test('says that the browser is too old, and does not start', async () => {
    const page = await open({ before: 'delete Array.prototype.toSorted' })
    await notice(page, 'tooOld').waitFor(SOON)
    await page.waitForLoadState('load')
    expect(await joinButton(page).count()).toBe(0)
    expect(await reloadButton(page).count()).toBe(0)
    await expectAccessible(page, 'a browser that is too old')
  })

  test.each([
    {
      of: 'an old browser',
      before: 'delete Intl.Segmenter; delete window.globalThis',
      says: 'tooOld',
    },
    { of: 'any other browser', before: '', says: 'failed' },
  ] as const)('says so when a script cannot be read by $of', async ({ before, says }) => {
    const page = await open({
      before,
      prepare: (context) =>
        context.route(SCRIPTS, (route) =>
          route.fulfill({ contentType: 'text/javascript', body: 'class A { static { } ; ?' }),
        ),
    })
    await notice(page, says).waitFor(SOON)
  })

  test('asks somebody who has turned scripts off to turn them on', async () => {
    const page = await open({ hasScripts: false })
    // Playwright finds no text in this element.
    await page.locator('noscript p', { hasText: 'JavaScript' }).waitFor(SOON)
  })
})

test('a browser without storage finds the link again after a reload', async () => {
  const page = await open({
    before: `for (const name of ['sessionStorage', 'localStorage']) {
      Object.defineProperty(globalThis, name, {
        get() { throw new DOMException('access is denied', 'SecurityError') },
      })
    }`,
  })
  await joinButton(page).waitFor(SOON)
  await page.reload()
  await joinButton(page).waitFor(SOON)
})

test('a panel that breaks leaves the call alone; a page that breaks says so, sends nothing, and is reloaded', async () => {
  const { page } = await env.enter(
    { roomId: room.id, role: 'moderator', name: 'Mori' },
    { hasDevices: true },
  )
  const sending = () =>
    page.evaluate(() => {
      const { peerConnections } = globalThis as unknown as { peerConnections: RTCPeerConnection[] }
      return peerConnections
        .flatMap((connection) => connection.getSenders())
        .filter(({ track }) => track?.readyState === 'live').length
    })
  await expect.poll(sending, SOON).toBe(2)
  // The panel draws nothing any more, and everything around it works.
  await page.evaluate(`{
    globalThis.reversed = Array.prototype.toReversed
    Array.prototype.toReversed = () => { throw new Error('broken on purpose') }
  }`)
  await panelButton(page, 'facts').click(SOON)
  await panel(page, 'facts').waitFor({ state: 'detached', ...SOON })
  await control(page, 'mute').click(SOON)
  await control(page, 'unmute').click(SOON)
  expect(await liveRoom(page).count()).toBe(1)
  expect(await sending()).toBe(2)

  await page.evaluate(`{
    Array.prototype.toReversed = globalThis.reversed
    globalThis.matchMedia = () => { throw new Error('broken on purpose') }
  }`)
  // The click, or anything else that redraws the page first, breaks it.
  const broken = notice(page, 'broken')
  await Promise.any([panelButton(page, 'public').click({ timeout: 5_000 }), broken.waitFor(SOON)])
  await broken.waitFor(SOON)
  await expect.poll(sending, SOON).toBe(0)
  await reloadButton(page).click()
  await joinButton(page).waitFor(SOON)
})
