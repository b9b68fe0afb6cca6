import { openAs, type Person } from '@interview-room/e2e/src/harness/browser.ts'
import { joinButton } from '@interview-room/e2e/src/harness/room-page.ts'
import { roomText } from '@interview-room/e2e/src/harness/words.ts'
import type { Browser, Page } from 'playwright-core'

/** The speed of a visitor's machine and connection. */
export interface Conditions {
  name: string
  /** Factor by which the processor is slower. */
  slowdown: number
  line?: { downBitsPerSec: number; upBitsPerSec: number; latencyMs: number }
}

export const CONDITIONS: readonly Conditions[] = [
  { name: 'unthrottled', slowdown: 1 },
  {
    name: 'phone',
    slowdown: 4,
    line: { downBitsPerSec: 1_600_000, upBitsPerSec: 750_000, latencyMs: 150 },
  },
]

/** Milliseconds from the start of the navigation, and from the press of Join. */
export interface Visit {
  firstPaintMs: number
  contentfulPaintMs: number
  /** The page is usable: the Join button is there. */
  usableMs: number
  /** The own camera picture is visible. */
  previewMs: number
  /** Kilobytes of scripts as transferred over the network. */
  scriptKb: number
  joinedMs: number
  remoteFrameMs: number
}

export interface Paints {
  firstPaintMs: number
  contentfulPaintMs: number
}

const SOON = { timeout: 120_000 }

/** A new page with an empty cache. */
export async function openSlowly(browser: Browser, conditions: Conditions): Promise<Person> {
  const person = await openAs(browser, 'about:blank', { before: WATCH })
  const debug = await person.context.newCDPSession(person.page)
  await debug.send('Emulation.setCPUThrottlingRate', { rate: conditions.slowdown })
  if (conditions.line !== undefined) {
    await debug.send('Network.enable')
    await debug.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: conditions.line.latencyMs,
      downloadThroughput: conditions.line.downBitsPerSec / 8,
      uploadThroughput: conditions.line.upBitsPerSec / 8,
    })
  }
  return person
}

export async function paintsOf(page: Page): Promise<Paints> {
  const at = async (name: string) => {
    const handle = await page.waitForFunction(
      (paint) => performance.getEntriesByName(paint)[0]?.startTime,
      name,
      SOON,
    )
    return (await handle.jsonValue()) ?? Number.NaN
  }
  return {
    firstPaintMs: await at('first-paint'),
    contentfulPaintMs: await at('first-contentful-paint'),
  }
}

/** Opens the link, checks the devices, joins, and waits for the picture of another person. */
export async function visitRoom(
  browser: Browser,
  link: string,
  conditions: Conditions,
): Promise<Visit> {
  const { page, context } = await openSlowly(browser, conditions)
  await page.goto(link, SOON)
  await page.waitForFunction(() => 'previewMs' in globalThis, undefined, SOON)
  const paints = await paintsOf(page)
  const scriptKb = await page.evaluate(() => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const scripts = entries.filter(({ name }) => name.endsWith('.js'))
    return scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000
  })
  await joinButton(page).click(SOON)
  await page.waitForFunction(() => 'remoteFrameMs' in globalThis, undefined, SOON)
  const { usableMs, previewMs, pressedMs, joinedMs, remoteFrameMs } = await page.evaluate(readNotes)
  await context.close()
  return {
    ...paints,
    scriptKb,
    usableMs,
    previewMs,
    joinedMs: joinedMs - pressedMs,
    remoteFrameMs: remoteFrameMs - pressedMs,
  }
}

type Notes = Record<'usableMs' | 'previewMs' | 'pressedMs' | 'joinedMs' | 'remoteFrameMs', number>

function readNotes(): Notes {
  const { usableMs, previewMs, pressedMs, joinedMs, remoteFrameMs } = globalThis as unknown as Notes
  return { usableMs, previewMs, pressedMs, joinedMs, remoteFrameMs }
}

const WORDS = {
  join: roomText((t) => [t.join, ...Object.values(t.joinWithout)]),
  preview: roomText((t) => t.prejoin.preview),
  live: roomText((t) => t.call.live),
  you: roomText((t) => t.call.you),
}

/** Records in the page, at each frame, which elements are there for the first time. */
const WATCH = `{
  const all = (kind, within = document) => [...within.querySelectorAll(kind)]
  const saying = (words) => (element) => words.test(element.textContent.trim())
  const note = (name) => { globalThis[name] ??= performance.now() }
  const plays = (video) => video.getVideoPlaybackQuality().totalVideoFrames > 0
  const look = () => {
    if (all('button:enabled').some(saying(${WORDS.join}))) note('usableMs')
    if (all('video').some((video) => ${WORDS.preview}.test(video.ariaLabel) && plays(video))) {
      note('previewMs')
    }
    if (all('header button').some(saying(${WORDS.live}))) note('joinedMs')
    const others = all('article').filter((tile) => !all('span', tile).some(saying(${WORDS.you})))
    if (others.some((tile) => all('video', tile).some(plays))) note('remoteFrameMs')
    requestAnimationFrame(look)
  }
  addEventListener('DOMContentLoaded', look)
  addEventListener('pointerdown', () => note('pressedMs'), { capture: true })
}`
