import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Locale } from '@interview-room/contract/vocabulary.ts'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import type { Page } from 'playwright-core'
import { SCHEMES, type Scheme, showIn, violationsOf } from './axe.ts'
import { smallTargets } from './targets.ts'
import { SOON, waitFor } from './wait.ts'

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
const QUALITY_PERCENT = 70
const SETTLED_MS = 3_000
/** The languages, each offered by its own name. */
const LANGUAGES: Record<Locale, string> = { ja: '日本語', en: 'English' }

export interface Look {
  locale: Locale
  scheme: Scheme
  device: keyof typeof SIZES
}

/** The words of a page's state, in each language in which it is captured. */
export type Words = { ja: readonly string[] } & Partial<Record<Locale, readonly string[]>>

export interface PageState {
  says: Words
  /** By default once on a desktop. Each is judged in both colour schemes. */
  looks?: readonly Look[]
  /** Every control is large enough for a finger. */
  isForFingers?: boolean
  /** Everyday tests of the feature visit the state, and axe judges it there. */
  isOnlyInLongRun?: boolean
}

export const DESKTOP: readonly Look[] = [{ locale: 'ja', scheme: 'light', device: 'desktop' }]
export const PHONE: readonly Look[] = [{ locale: 'ja', scheme: 'light', device: 'phone' }]
/** Both languages and colour schemes in both sizes, ordered so that one step changes as little as possible. */
export const EVERY: readonly Look[] = (['desktop', 'phone'] as const).flatMap((device) =>
  (['ja', 'en'] as const).flatMap((locale) =>
    SCHEMES.map((scheme) => ({ locale, scheme, device })),
  ),
)

/** The looks of a state in the documentation. */
export const documentedLooks = ({ looks = DESKTOP }: PageState): readonly Look[] => looks

/** One of the main states is documented in both languages. An everyday run examines these closely. */
function isMain(state: PageState): boolean {
  return documentedLooks(state).some(({ locale }) => locale === 'en')
}

/**
 * The looks of this run: all of them in the long run. An everyday run takes each state once, and the main ones once on each device.
 */
function looksTaken(state: PageState): readonly Look[] {
  const looks = documentedLooks(state)
  if (IS_FULL_RUN) return looks
  const firstOn = (device: Look['device']) => looks.filter((each) => each.device === device)[0]
  const [phone, desktop] = [firstOn('phone'), firstOn('desktop')]
  const taken = isMain(state) ? [desktop, phone] : [phone ?? desktop]
  return taken.filter((each) => each !== undefined)
}

/** The pictures of this run: in an everyday run, those of the main states. */
export const snapshotsTaken = (state: PageState): readonly Look[] =>
  IS_FULL_RUN || (isMain(state) && state.isOnlyInLongRun !== true) ? looksTaken(state) : []

export interface Snapshots<Name extends string> {
  /**
   * Waits for the words of the state, in every look. Takes a picture if the run needs one, and lets axe judge the page in both
   * colour schemes.
   */
  take(page: Page, name: Name): Promise<void>
  /** Findings so far: those of axe, pages that are too wide for their screen, and controls that are too small for a finger. */
  violations: string[]
  /** The files of all pictures so far. */
  pictures: readonly string[]
}

function fileOf(name: string, { locale, scheme, device }: Look): string {
  return `${name}.${locale}-${scheme}-${device}.webp`
}

/** The files of these states, in the requested looks. */
export function filesOf(
  states: Readonly<Record<string, PageState>>,
  looksOf: (state: PageState) => readonly Look[],
): string[] {
  return Object.entries(states).flatMap(([name, state]) =>
    looksOf(state).map((look) => fileOf(name, look)),
  )
}

interface Judgement {
  scheme: Scheme
  rules: 'all' | 'of colours'
}

export function openSnapshots<Name extends string>(
  folder: string,
  states: Readonly<Record<Name, PageState>>,
): Snapshots<Name> {
  const violations: string[] = []
  const pictures: string[] = []
  mkdirSync(folder, { recursive: true })

  async function judge(page: Page, what: string, { scheme, rules }: Judgement): Promise<void> {
    await showIn(page, scheme)
    violations.push(...(await violationsOf(page, `${what} (${scheme})`, rules)))
  }

  return {
    violations,
    pictures,
    async take(page, name) {
      const { says, isForFingers = false } = states[name]
      const looks = looksTaken(states[name])
      for (const look of looks) {
        const { locale, scheme, device } = look
        const file = fileOf(name, look)
        await resize(page, device)
        await speak(page, locale)
        for (const words of says[locale] ?? []) await expectWords(page, { name, words })
        violations.push(...(await tooWide(page, file)))
        if (isForFingers) violations.push(...(await tooSmall(page, file)))
        if (!snapshotsTaken(states[name]).includes(look)) continue
        await unroll(page)
        const isOnlyLook = !looks.some((each) => each.device === device && each.scheme !== scheme)
        const other = scheme === 'light' ? 'dark' : 'light'
        if (isOnlyLook) await judge(page, file, { scheme: other, rules: 'of colours' })
        await judge(page, file, { scheme, rules: 'all' })
        writeFileSync(path.join(folder, file), await picture(page))
        pictures.push(file)
      }
    },
  }
}

async function resize(page: Page, device: Look['device']): Promise<void> {
  const size = SIZES[device]
  if (page.viewportSize()?.width !== size.width) await page.setViewportSize(size)
}

/** Makes the viewport as high as the content: elements that stay in place while a person scrolls must not cover the judged part. */
async function unroll(page: Page): Promise<void> {
  const size = page.viewportSize()
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  if (size !== null && height > size.height) await page.setViewportSize({ ...size, height })
}

/** Checks that a page is not wider than its screen, once it has adapted to a new one. */
export async function tooWide(page: Page, what: string): Promise<string[]> {
  const screen = page.viewportSize()?.width ?? 0
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  const fits = async () => (await width()) <= screen
  return waitFor(fits, { what: `${what} fits`, timeoutMs: SETTLED_MS }).then(
    () => [],
    async () => [`${what} is ${await width()} px wide: ${await page.evaluate(outermost)}`],
  )
}

/** Checks that every control is large enough, once the page has adapted to a new size. */
export async function tooSmall(page: Page, what: string): Promise<string[]> {
  const isLarge = async () => (await smallTargets(page, what)).length === 0
  return waitFor(isLarge, { what: `${what} is for fingers`, timeoutMs: SETTLED_MS }).then(
    () => [],
    async () => smallTargets(page, what),
  )
}

/** The elements that reach beyond the screen, the innermost last. */
function outermost(): string {
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
    .map((element) => `${element.localName}.${element.getAttribute('class')}`)
    .join(' ')
}

/** On a phone's room the choice is in a menu, so the page is widened for the press. */
async function speak(page: Page, locale: Locale): Promise<void> {
  if ((await page.locator('html').getAttribute('lang')) === locale) return
  const size = page.viewportSize()
  await resize(page, 'desktop')
  await page.getByRole('button', { name: LANGUAGES[locale] }).click()
  await page.locator(`html[lang="${locale}"]`).waitFor(SOON)
  if (size !== null) await page.setViewportSize(size)
}

/** Waits until the page of a state says these words. */
export async function expectWords(
  page: Page,
  { name, words }: { name: string; words: string },
): Promise<void> {
  const isThere = async () => (await page.locator('body').innerText()).includes(words)
  await waitFor(isThere, { what: `${name} says "${words}"` }).catch(async (error: unknown) => {
    const said = await page.locator('body').innerText()
    throw new Error(`${String(error)}; it says:\n${said}`, { cause: error })
  })
}

async function picture(page: Page): Promise<Buffer> {
  const debug = await page.context().newCDPSession(page)
  const { data } = await debug.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY_PERCENT,
  })
  await debug.detach()
  return Buffer.from(data, 'base64')
}
