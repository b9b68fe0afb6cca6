import { createRequire } from 'node:module'
import path from 'node:path'
import { installFromNpm } from './tools.ts'
import { waitFor } from './wait.ts'

/** Installed when it is needed: with its dependencies it takes 55 MB. */
const PUPPETEER = 'puppeteer-core@24.43.1'

// The part of Puppeteer's interface that these tests use.

interface Handle {
  click(): Promise<void>
  type(text: string): Promise<void>
}

/** A page of Firefox. */
export interface FirefoxPage {
  keyboard: { press: (key: string) => Promise<void> }
  goto: (address: string) => Promise<unknown>
  evaluate: <Args extends unknown[], Result>(
    inPage: (...args: Args) => Result,
    ...args: Args
  ) => Promise<Result>
  evaluateHandle: <Args extends unknown[]>(
    inPage: (...args: Args) => Element | null,
    ...args: Args
  ) => Promise<{ asElement: () => Handle | null }>
  waitForSelector: (selector: string) => Promise<Handle | null>
}

export interface FirefoxBrowser {
  newPage: () => Promise<FirefoxPage>
  close: () => Promise<void>
}

interface Puppeteer {
  launch: (options: object) => Promise<FirefoxBrowser>
}

/** A false camera and microphone, and candidates on the loopback interface, as in the Chromium tests. */
const PREFERENCES = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.peerconnection.ice.loopback': true,
  'media.peerconnection.ice.obfuscate_host_addresses': false,
  'media.autoplay.default': 0,
  'intl.accept_languages': 'en-US',
}

/**
 * The installed Firefox, driven by WebDriver BiDi. Playwright needs its own Firefox, or one that is newer than that of
 * distributions. The driver is installed into this empty folder.
 */
export async function launchFirefox(
  executablePath: string,
  folder: string,
): Promise<FirefoxBrowser> {
  await installFromNpm(folder, [PUPPETEER])
  const { launch } = createRequire(path.join(folder, 'package.json'))('puppeteer-core') as Puppeteer
  return launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: PREFERENCES,
  })
}

/** Presses the button of this name as soon as it exists. */
export async function pressNamed(page: FirefoxPage, name: RegExp): Promise<void> {
  const button = await waitFor(async () => findButton(page, name), {
    what: `Firefox shows the button ${name.source}`,
  })
  await button.click()
}

async function findButton(page: FirefoxPage, { source }: RegExp): Promise<Handle | undefined> {
  const found = await page.evaluateHandle((pattern) => {
    const isNamed = (button: HTMLElement) => {
      const name = button.getAttribute('aria-label') ?? button.innerText
      return new RegExp(pattern, 'u').test(name.replaceAll('\u{ad}', '').trim())
    }
    return [...document.querySelectorAll('button')].find(isNamed) ?? null
  }, source)
  return found.asElement() ?? undefined
}

/** Waits until the page shows this text. */
export async function expectText(page: FirefoxPage, { source }: RegExp): Promise<void> {
  const isShown = async () =>
    page.evaluate((pattern) => new RegExp(pattern, 'mu').test(document.body.innerText), source)
  await waitFor(isShown, { what: `Firefox shows ${source}` })
}

/** Seconds that each other person's video and voice has played. */
export async function playedSec(
  page: FirefoxPage,
): Promise<{ videos: number[]; voices: number[] }> {
  const secondsOf = async (kind: 'video' | 'audio') =>
    page.evaluate(
      (name) => [...document.querySelectorAll(name)].map(({ currentTime }) => currentTime),
      kind,
    )
  return { videos: await secondsOf('video'), voices: await secondsOf('audio') }
}

/** Width in pixels of the image with this description, as soon as it is loaded. */
export async function imageWidth(page: FirefoxPage, alt: string): Promise<number | undefined> {
  const width = await page.evaluate(
    (name) => document.querySelector<HTMLImageElement>(`img[alt="${name}"]`)?.naturalWidth,
    alt,
  )
  return width === 0 ? undefined : width
}
