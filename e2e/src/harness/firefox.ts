import { launch, type Browser, type ElementHandle, type Page } from 'puppeteer-core'
import { waitFor } from './wait.ts'

/** A false camera and microphone, and candidates on the loopback interface, as the other tests have in Chromium. */
const PREFERENCES = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.peerconnection.ice.loopback': true,
  'media.peerconnection.ice.obfuscate_host_addresses': false,
  'media.autoplay.default': 0,
  'intl.accept_languages': 'en-US',
}

/** The Firefox that people have, by WebDriver BiDi: Playwright drives one of its own only. */
export async function launchFirefox(executablePath: string): Promise<Browser> {
  return launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: PREFERENCES,
  })
}

/** Presses the button of this name, as soon as there is one. */
export async function pressNamed(page: Page, name: RegExp): Promise<void> {
  const button = await waitFor(async () => findButton(page, name), {
    what: `Firefox shows the button ${name.source}`,
    timeoutMs: 60_000,
  })
  await button.click()
}

async function findButton(page: Page, { source }: RegExp): Promise<ElementHandle | undefined> {
  const found = await page.evaluateHandle((pattern) => {
    const isNamed = (button: HTMLElement) => {
      const name = button.getAttribute('aria-label') ?? button.innerText
      return new RegExp(pattern, 'u').test(name.replaceAll('\u{ad}', '').trim())
    }
    return [...document.querySelectorAll('button')].find(isNamed) ?? null
  }, source)
  return (found.asElement() as ElementHandle | null) ?? undefined
}

/** Waits until the page shows this text somewhere. */
export async function expectText(page: Page, { source }: RegExp): Promise<void> {
  const isShown = async () =>
    page.evaluate((pattern) => new RegExp(pattern, 'mu').test(document.body.innerText), source)
  await waitFor(isShown, { what: `Firefox shows ${source}`, timeoutMs: 60_000 })
}

/** Seconds that each video of somebody else, and each voice, has played. */
export async function playedSec(page: Page): Promise<{ videos: number[]; voices: number[] }> {
  const secondsOf = async (kind: 'video' | 'audio') =>
    page.evaluate(
      (name) => [...document.querySelectorAll(name)].map(({ currentTime }) => currentTime),
      kind,
    )
  return { videos: await secondsOf('video'), voices: await secondsOf('audio') }
}

/** Pixels across the image of this description, as soon as it is loaded. */
export async function imageWidth(page: Page, alt: string): Promise<number | undefined> {
  const width = await page.evaluate(
    (name) => document.querySelector<HTMLImageElement>(`img[alt="${name}"]`)?.naturalWidth,
    alt,
  )
  return width === 0 ? undefined : width
}
