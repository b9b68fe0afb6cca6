import type { Locator, Page } from 'playwright-core'
import { waitFor } from './wait.ts'

interface PictureCount {
  pictures: number
  sharpPictures: number
}

interface JudgingWindow {
  isSharp: typeof isSharp
  watched: PictureCount
}

/** Runs in the page: whether the picture that a video shows has an edge, which no blurred picture has. */
function isSharp(video: HTMLVideoElement): boolean {
  const edge = 40
  const { videoWidth: width, videoHeight: height } = video
  const canvas = new OffscreenCanvas(width, height).getContext('2d')
  if (canvas === null) throw new Error('no canvas')
  canvas.drawImage(video, 0, 0)
  const { data } = canvas.getImageData(0, 0, width, height)
  // The green part, which is most of the light, of each pixel and the one to its left.
  for (let pixel = 1; pixel < width * height; pixel += 1) {
    const step = Math.abs((data[4 * pixel + 1] ?? 0) - (data[4 * pixel - 3] ?? 0))
    if (pixel % width !== 0 && step > edge) return true
  }
  return false
}

/** Makes `isSharp` known in the page, by the browser and not by a script: the page's policy forbids those. */
async function installJudge(page: Page): Promise<void> {
  await page.evaluate(`globalThis.isSharp = ${isSharp.toString()}`)
}

export async function untilSharp(video: Locator, isWanted: boolean): Promise<void> {
  await installJudge(video.page())
  const look = () =>
    video.evaluate((element: HTMLVideoElement) => {
      if (element.videoWidth === 0) return undefined
      return (globalThis as unknown as JudgingWindow).isSharp(element)
    })
  await waitFor(async () => (await look()) === isWanted, {
    what: `the picture has edges: ${isWanted}`,
  })
}

/** Judges each picture of this person that the page shows from now on, also in a video that comes later. */
export async function watchSharpness(
  page: Page,
  name: string,
): Promise<() => Promise<PictureCount>> {
  await installJudge(page)
  await page.evaluate((name) => {
    const judging = globalThis as unknown as JudgingWindow
    const watched: PictureCount = { pictures: 0, sharpPictures: 0 }
    judging.watched = watched
    const known = new WeakSet<HTMLVideoElement>()
    const judge = (video: HTMLVideoElement) => {
      watched.pictures += 1
      if (judging.isSharp(video)) watched.sharpPictures += 1
      video.requestVideoFrameCallback(() => judge(video))
    }
    const look = () => {
      for (const video of document.querySelectorAll('video')) {
        const isTheirs = video.closest('article')?.getAttribute('aria-label') === name
        if (!isTheirs || known.has(video)) continue
        known.add(video)
        video.requestVideoFrameCallback(() => judge(video))
      }
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    look()
  }, name)
  return async () => page.evaluate(() => (globalThis as unknown as JudgingWindow).watched)
}
