import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './harness/axe.ts'
import type { Person } from './harness/browser.ts'
import { makeVideo, videoPosition } from './harness/handout-video.ts'
import { choosePdf, registerHandout } from './harness/handouts.ts'
import { misfitsOf, resizeTo, type Size } from './harness/misfits.ts'
import { makePdf } from './harness/pdf.ts'
import { expectVideo } from './harness/reach-states.ts'
import {
  closePanel,
  handoutStage,
  hideButton,
  openPanel,
  playButton,
  videoSlider,
  showButton,
  toolButton,
} from './harness/room-page.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'
import { pdfText, pointerText } from './harness/words.ts'

/** WCAG 2.2, 2.5.8. */
const TARGET_MIN_PX = 24
/** Guests use the page with a finger. */
const FINGER_MIN_PX = 44
const ROLES = ['moderator', 'panelist'] as const

type Box = Size & { x: number; y: number }

const env = useTestEnvironment()
const people = {} as Record<(typeof ROLES)[number], Person>

beforeAll(async () => {
  const room = await env.tenant.book()
  const film = { kind: 'video', name: 'film.mp4', title: 'Film', content: makeVideo(60) } as const
  await registerHandout(env.service, room, film)
  for (const role of ROLES) {
    // PDFs need newer browsers than the rest of the page.
    const hasNewerFeatures = role === 'moderator'
    people[role] = await env.enter({ roomId: room.id, role, name: role }, { hasNewerFeatures })
  }
})

const shown = ({ page }: Person, title: string) => handoutStage(page).getByAltText(title)

const turnButton = ({ page }: Person, to: 'previousPage' | 'nextPage') =>
  handoutStage(page).getByRole('button', { name: pdfText((t) => t[to]) })

/** The boxes of the stage, the picture on it, and the bar that turns pages. */
async function boxesOf(page: Page) {
  const stage = handoutStage(page)
  const bar = stage.getByRole('group', { name: pdfText((t) => t.turning) })
  const boxes = [stage, stage.locator('img'), bar].map(async (part) => (await part.boundingBox())!)
  return (await Promise.all(boxes)) as [Box, Box, Box]
}

/** The input inside a video's slider is never visible. */
const seenMisfitsOf = async (page: Page) =>
  (await misfitsOf(page, TARGET_MIN_PX)).filter((misfit) => !misfit.includes('(INPUT)'))

const widthOfVideo = async (page: Page) =>
  (await handoutStage(page).locator('video').boundingBox())!.width
const widthOfStage = async (page: Page) => (await handoutStage(page).boundingBox())!.width

const areaOf = ({ width, height }: Size) => width * height

const pointer = ({ page }: Person) =>
  handoutStage(page)
    .locator('span', { has: page.getByText(pointerText((t) => t.pointer)) })
    .first()
const pointButton = ({ page }: Person) =>
  handoutStage(page).getByRole('button', {
    name: pointerText((t) => t.point),
  })
const area = () =>
  handoutStage(people.moderator.page).getByRole('application', {
    name: pointerText((t) => t.area),
  })

describe('a PDF', () => {
  test('becomes one handout for each page, which the moderator turns', async () => {
    const { moderator, panelist } = people
    const refused = watchPolicy(moderator.page)
    const dialog = await choosePdf(moderator.page, makePdf(['コンセプト', '価格', 'まとめ']))
    await dialog.getByText(pdfText((t) => t.ready(3))).waitFor(SOON)
    await expectAccessible(moderator.page, 'PDF of a moderator')
    await dialog.getByRole('textbox').fill('Concept')
    await dialog.getByRole('textbox').press('Enter')
    await shown(panelist, 'Concept – 1 / 3').waitFor(SOON)
    await dialog.waitFor({ ...SOON, state: 'detached' })

    await moderator.page.keyboard.press('n')
    await shown(panelist, 'Concept – 2 / 3').waitFor(SOON)
    await toolButton(moderator.page, (t) => t.handout.next).click()
    await shown(panelist, 'Concept – 3 / 3').waitFor(SOON)
    await moderator.page.keyboard.press('p')
    await shown(panelist, 'Concept – 2 / 3').waitFor(SOON)
    expect(await darkPixels(shown(panelist, 'Concept – 2 / 3'))).toBeGreaterThan(100)
    expect(refused()).toEqual([])
  })

  test('is turned beside the shown page only by the moderator', async () => {
    const { moderator, panelist } = people
    await turnButton(moderator, 'nextPage').press('Enter')
    await shown(panelist, 'Concept – 3 / 3').waitFor(SOON)
    // The focus moves away from a button that has no further page to turn to.
    await turnButton(moderator, 'previousPage').and(moderator.page.locator(':focus')).waitFor(SOON)
    expect(await turnButton(moderator, 'nextPage').isDisabled()).toBe(true)
    await moderator.page.keyboard.press('PageUp')
    await moderator.page.keyboard.press('PageUp')
    await shown(panelist, 'Concept – 1 / 3').waitFor(SOON)
    await turnButton(moderator, 'nextPage').and(moderator.page.locator(':focus')).waitFor(SOON)
    expect(await turnButton(moderator, 'previousPage').isDisabled()).toBe(true)
    await toolButton(handoutStage(moderator.page), (t) => t.zoom.larger).focus()
    await moderator.page.keyboard.press('PageDown')
    await shown(panelist, 'Concept – 2 / 3').waitFor(SOON)
    await handoutStage(moderator.page).getByText('2 / 3', { exact: true }).waitFor(SOON)
    expect(await turnButton(panelist, 'nextPage').count()).toBe(0)
  })

  test.each([
    { width: 320, height: 360 },
    { width: 320, height: 640 },
    { width: 1020, height: 360 },
    { width: 1280, height: 800 },
  ])('is turned beside the picture, not on it, at $width × $height', async (size) => {
    const { page } = people.moderator
    await closePanel(page)
    await resizeTo(page, size)
    await expect.poll(async () => seenMisfitsOf(page)).toEqual([])
    const [stage, picture, bar] = await boxesOf(page)
    expect(bar.x >= picture.x + picture.width - 1 || bar.y >= picture.y + picture.height - 1).toBe(
      true,
    )
    expect(areaOf(picture)).toBeGreaterThan(areaOf(stage) / 2)
  })

  test.each([
    ['with a password', makePdf(['secret'], { isEncrypted: true }), 'encrypted'],
    ['that is damaged', Buffer.from('%PDF-1.4\nnothing more'), 'broken'],
  ] as const)('%s is refused in words', async (_, content, problem) => {
    const dialog = await choosePdf(people.moderator.page, content)
    await dialog
      .getByRole('alert')
      .getByText(pdfText((t) => t.problem[problem]))
      .waitFor(SOON)
    await dialog.getByRole('button', { name: pdfText((t) => t.close) }).click()
    await dialog.waitFor({ ...SOON, state: 'detached' })
    expect(await showButton(people.moderator.page, 'concept-1.png').count()).toBe(0)
  })
})

test('a PDF is refused in words by a browser that is too old for it', async () => {
  const { page } = people.moderator
  await page.evaluate(() => Reflect.deleteProperty(Promise, 'withResolvers'))
  const dialog = await choosePdf(page, makePdf(['Concept']))
  await dialog
    .getByRole('alert')
    .getByText(pdfText((t) => t.problem.oldBrowser))
    .waitFor(SOON)
  await dialog.getByRole('button', { name: pdfText((t) => t.close) }).click()
  await dialog.waitFor({ ...SOON, state: 'detached' })
})

describe('the pointer of a moderator', () => {
  test('is at the same place of the picture for everybody, and goes after the last move', async () => {
    const { moderator, panelist } = people
    await pointButton(moderator).press('Enter')
    await area().waitFor(SOON)
    for (const _ of Array.from({ length: 3 }))
      await moderator.page.keyboard.press('Shift+ArrowRight')
    await moderator.page.keyboard.press('Shift+ArrowUp')
    await pointer(panelist).waitFor(SOON)
    await expectAccessible(moderator.page, 'pointing moderator')
    await toolButton(handoutStage(panelist.page), (t) => t.zoom.larger).click()
    await moderator.page.keyboard.press('ArrowRight')
    const { keyboard, mouse } = moderator.page
    const press = async () => {
      await keyboard.press('ArrowLeft')
      await keyboard.press('ArrowRight')
    }
    await expectPlace(pointer(panelist), { x: 0.82, y: 0.4 }, press)

    const box = (await area().boundingBox())!
    const move = async () => mouse.move(box.x + box.width / 4, box.y + box.height / 2, { steps: 2 })
    await expectPlace(pointer(panelist), { x: 0.25, y: 0.5 }, move)
    await pointer(panelist).waitFor({ ...SOON, state: 'detached' })
    await expect.poll(async () => pointer(moderator).count()).toBe(0)
  })

  test('ends with Escape, and panelists have none', async () => {
    const { moderator, panelist } = people
    await area().press('ArrowLeft')
    await pointer(panelist).waitFor(SOON)
    await moderator.page.keyboard.press('Escape')
    await pointer(panelist).waitFor({ ...SOON, state: 'detached' })
    expect(await area().count()).toBe(0)
    expect(await pointButton(moderator).getAttribute('aria-pressed')).toBe('false')
    expect(await pointButton(panelist).count()).toBe(0)
  })

  test('is also on a video, and leaves its controls free', async () => {
    const { moderator, panelist } = people
    await openPanel(moderator.page, 'handouts')
    await showButton(moderator.page, 'Film').click()
    for (const { page } of [moderator, panelist]) await expectVideo(page)
    await closePanel(moderator.page)
    await pointButton(moderator).press('Enter')
    await area().waitFor(SOON)
    const { mouse } = moderator.page
    const move = async () => {
      const box = (await area().boundingBox())!
      await mouse.move(box.x + box.width / 2, box.y + box.height / 2)
      await mouse.move(box.x + box.width / 4, box.y + box.height * 0.9, { steps: 2 })
    }
    await expectPlace(pointer(panelist), { x: 0.25, y: 0.9 }, move)
    await expectPlace(pointer(moderator), { x: 0.25, y: 0.9 }, move)
    const before = await widthOfVideo(panelist.page)
    await toolButton(handoutStage(panelist.page), (t) => t.zoom.larger).click()
    const larger = async () => (await widthOfVideo(panelist.page)) / before
    await expect.poll(larger).toBeCloseTo(1.5, 2)
    const atModerator = (await widthOfVideo(moderator.page)) / (await widthOfStage(moderator.page))
    expect(atModerator).toBeCloseTo(1, 2)
    await expectPlace(pointer(panelist), { x: 0.25, y: 0.9 }, move)
    await expectAccessible(panelist.page, 'panelist who enlarges a video')
    await expectAccessible(moderator.page, 'pointing moderator at a video')
    const original = moderator.page.viewportSize()!
    for (const size of [{ width: 320, height: 360 }, { width: 320, height: 640 }, original]) {
      await resizeTo(moderator.page, size)
      await expect.poll(async () => seenMisfitsOf(moderator.page)).toEqual([])
      await resizeTo(panelist.page, size)
      await expect.poll(async () => misfitsOf(panelist.page, FINGER_MIN_PX)).toEqual([])
    }
    await playButton(moderator.page).click()
    await videoPosition(panelist.page).reaches(1)
    await videoSlider(moderator.page).press('PageUp')
    await videoPosition(panelist.page).reaches(5)
    await pointButton(moderator).click()
    await area().waitFor({ ...SOON, state: 'detached' })
    await openPanel(moderator.page, 'handouts')
    await hideButton(moderator.page).click()
    await handoutStage(panelist.page).waitFor({ ...SOON, state: 'detached' })
  })
})

test('a video stays where it is for a moderator whose page has not loaded it', async () => {
  const { moderator, panelist } = people
  await openPanel(moderator.page, 'handouts')
  await moderator.page.route('**/*', (route) =>
    // The request is never answered: the connection is slow.
    route.request().resourceType() === 'media' ? undefined : route.fallback(),
  )
  await showButton(moderator.page, 'Film').click()
  await expectVideo(panelist.page)
  await playButton(moderator.page).click()
  await videoPosition(panelist.page).reaches(3)
  await playButton(moderator.page).click()
  await videoPosition(panelist.page).rests()
  expect((await videoPosition(panelist.page).look()).sec).toBeGreaterThan(2)
})

/**
 * Points with `point` until the pointer is at these shares of the picture below it, as the picture is drawn: a slow machine may
 * look only after the pointer has disappeared.
 */
async function expectPlace(
  pointer: Locator,
  { x, y }: { x: number; y: number },
  point: () => Promise<void>,
): Promise<void> {
  const isThere = async () => {
    const at = await pointer.evaluate(placeOnPicture, undefined, { timeout: 1_000 })
    return Math.abs(at.x - x) < 0.01 && Math.abs(at.y - y) < 0.01
  }
  const comes = async () => {
    await point()
    // The pointer glides to the position of the mouse.
    await waitFor(isThere, { what: 'the pointer has arrived', timeoutMs: 2_000, everyMs: 50 })
    return true
  }
  await waitFor(comes, { what: `the pointer is at ${x}, ${y}` })
}

function placeOnPicture(pointer: Element) {
  const picture = pointer
    .closest('section')!
    .querySelector<HTMLImageElement | HTMLVideoElement>('img, video')!
  const own =
    picture instanceof HTMLVideoElement
      ? { width: picture.videoWidth, height: picture.videoHeight }
      : { width: picture.naturalWidth, height: picture.naturalHeight }
  const { left, top, width, height } = picture.getBoundingClientRect()
  const scale = Math.min(width / own.width, height / own.height)
  const drawn = { width: own.width * scale, height: own.height * scale }
  const dot = pointer.getBoundingClientRect()
  const centre = { x: dot.left + dot.width / 2 - left, y: dot.top + dot.height / 2 - top }
  return {
    x: (centre.x - (width - drawn.width) / 2) / drawn.width,
    y: (centre.y - (height - drawn.height) / 2) / drawn.height,
  }
}

/** Collects the requests that the page's policy refuses from now on. */
function watchPolicy(page: Page): () => readonly string[] {
  const refused: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) refused.push(message.text())
  })
  return () => refused
}

/** How much of an image is text. */
async function darkPixels(image: ReturnType<typeof shown>): Promise<number> {
  return image.evaluate(async (element) => {
    const { src } = element as HTMLImageElement
    const bitmap = await createImageBitmap(await (await fetch(src)).blob())
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d')!
    context.drawImage(bitmap, 0, 0)
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height)
    let dark = 0
    for (let at = 0; at < data.length; at += 4) if (data[at]! < 80) dark += 1
    return dark
  })
}
