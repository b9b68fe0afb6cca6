import { parseArgs } from 'node:util'
import { launchBrowser, openAs } from '@interview-room/e2e/src/harness/browser.ts'
import {
  lineWith,
  linkToReview,
  playButton,
  searchField,
  transcriptLines,
  video,
} from '@interview-room/e2e/src/harness/review-page.ts'
import { removeDataDir, startService } from '@interview-room/e2e/src/harness/service.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { machine } from '../machine.ts'
import { median, round } from '../statistics.ts'
import { holdLongInterview, type LongInterview, longTranscript } from './long-interview.ts'

const SOON = { timeout: 60_000 }
const PLAYED_MS = 5_000
const SCROLLS = 40
const TRANSCRIPT = '/transcript.vtt'

/** A task of the page's main thread that people can notice. */
interface LongTask {
  during: string
  ms: number
}

interface Visit {
  firstFrameMs: number
  /** The first frame of the same file in a page with nothing but a video element. */
  bareFrameMs: number
  tasks: LongTask[]
}

/**
 * Opens the review page of an interview of two hours with 3,000 lines and 500 events, plays, scrolls, searches and seeks.
 * Measures the time to the first frame, compared with the file alone, and tasks of more than 50 ms.
 */
export async function measureReviewPage(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { rounds: { type: 'string', default: '5' } } })
  const service = await startService()
  const browser = await launchBrowser()
  try {
    const interview = await holdLongInterview(service)
    // The first visit warms up the machine.
    await visitReview(browser, interview)
    const visits: Visit[] = []
    for (let n = 0; n < Number(values.rounds); n += 1) {
      visits.push(await visitReview(browser, interview))
    }
    report(visits)
  } finally {
    await browser.close()
    await service.stop()
    removeDataDir(service.dataDir)
  }
}

async function visitReview(
  browser: Browser,
  { local, recordingId }: LongInterview,
): Promise<Visit> {
  const link = await linkToReview({ service: { local } }, { recordingId }, { may: ['watch'] })
  const { page, context } = await openAs(browser, link, { before: WATCH, prepare: lengthen })
  await page.waitForFunction(() => 'firstFrameMs' in globalThis, undefined, SOON)
  const firstFrameMs = await page.evaluate<number>('firstFrameMs')
  await lineWith(page, 'number 0 is').waitFor(SOON)
  const source = await video(page).getAttribute('src')
  for (const [during, act] of Object.entries(USES)) {
    await page.evaluate((name) => Object.assign(globalThis, { during: name }), during)
    await act(page)
  }
  const tasks = await page.evaluate<LongTask[]>('tasks')
  await context.close()
  return {
    firstFrameMs,
    bareFrameMs: await visitBareFile(browser, source ?? ''),
    tasks,
  }
}

/** Gives the recording the long transcript in place of its own. */
async function lengthen(context: BrowserContext): Promise<void> {
  await context.route('**/api/v1/transcriptions/*', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: object }
    const data = { ...body.data, result_url: new URL(TRANSCRIPT, response.url()).href }
    await route.fulfill({ response, json: { ...body, data } })
  })
  const body = longTranscript()
  await context.route(`**${TRANSCRIPT}`, (route) =>
    route.fulfill({ body, contentType: 'text/vtt' }),
  )
}

async function visitBareFile(browser: Browser, source: string): Promise<number> {
  const page = await browser.newPage()
  await page.addInitScript({ content: WATCH })
  await page.route('**/bare', (route) =>
    route.fulfill({ body: `<video src="${source}"></video>`, contentType: 'text/html' }),
  )
  await page.goto(new URL('/bare', source).href, SOON)
  await page.waitForFunction(() => 'firstFrameMs' in globalThis, undefined, SOON)
  const firstFrameMs = await page.evaluate<number>('firstFrameMs')
  await page.close()
  return firstFrameMs
}

/** The time that people use the page passes in the page, so that its own timers run. */
const USES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  play: async (page) => {
    await playButton(page).click()
    await page.waitForTimeout(PLAYED_MS)
  },
  scroll: async (page) => {
    await transcriptLines(page).first().hover()
    for (let turn = 0; turn < SCROLLS; turn += 1) {
      await page.mouse.wheel(0, 400)
      await page.evaluate(() => new Promise(requestAnimationFrame))
    }
  },
  search: async (page) => {
    await searchField(page).pressSequentially('number 17')
    for (let hit = 0; hit < 5; hit += 1) await searchField(page).press('Enter')
    await searchField(page).press('Escape')
  },
  seek: async (page) => {
    await page.locator('body').press('Escape')
    for (const key of ['l', 'l', 'j', 'l', 'l']) await page.keyboard.press(key)
  },
}

function report(visits: readonly Visit[]): void {
  const ratio = median(visits.map(({ firstFrameMs, bareFrameMs }) => firstFrameMs / bareFrameMs))
  const during = Object.keys(USES).map((name) => {
    const tasks = visits.flatMap((visit) => visit.tasks.filter((task) => task.during === name))
    return [name, { over50ms: tasks.length, longestMs: Math.max(0, ...tasks.map(({ ms }) => ms)) }]
  })
  const frame = {
    page: round(median(visits.map(({ firstFrameMs }) => firstFrameMs))),
    file: round(median(visits.map(({ bareFrameMs }) => bareFrameMs))),
    ratio: round(ratio),
  }
  console.log(`\nmedian of ${visits.length}: milliseconds to the first frame`)
  console.table({ 'first frame': frame })
  console.log('tasks of the main thread in all visits')
  console.table(Object.fromEntries(during))
  const results = { frame, tasks: Object.fromEntries(during) as object }
  console.log(JSON.stringify({ bench: 'review-page', machine: machine(), results }))
}

/** Notes the first frame, and every task of more than 50 ms with what was going on. */
const WATCH = `{
  globalThis.tasks = []
  globalThis.during = 'load'
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      tasks.push({ during, ms: Math.round(duration) })
    }
  }).observe({ type: 'longtask' })
  const look = () => {
    const video = document.querySelector('video')
    if (video === null || video.readyState < 2) return requestAnimationFrame(look)
    globalThis.firstFrameMs = performance.now()
  }
  addEventListener('DOMContentLoaded', look)
}`
