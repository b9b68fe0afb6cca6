import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const STANDARD = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** The rules of axe about colours. All others find the same in the other colour scheme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

export const SCHEMES = ['light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

/** Switches the page to this colour scheme, and waits until nothing moves. */
export async function showIn(page: Page, scheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  await waitUntilStill(page)
}

async function waitUntilStill(page: Page): Promise<void> {
  const moving = await page.evaluate(standStill, { withinMs: 30_000, timesMax: 8 })
  if (moving.length > 0) throw new Error(`still moving: ${moving.join(', ')}`)
}

/** The findings of axe once nothing on the page moves, by all rules or only those about colours: one line for each rule. */
export async function violationsOf(
  page: Page,
  state: string,
  rules: 'all' | 'of colours' = 'all',
): Promise<string[]> {
  await waitUntilStill(page)
  // Added through the debugger, because the policy of the pages forbids injected scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  const only = rules === 'all' ? STANDARD : { type: 'rule' as const, values: OF_COLOURS }
  const found = await page.evaluate(run, { only })
  return found.map(({ id, targets }) => `${state}: ${id} at ${targets.join(', ')}`)
}

/** The findings of axe in both colour schemes. Rules that are not about colours run only in the first one. */
export async function violationsInBothSchemes(page: Page, state: string): Promise<string[]> {
  const found: string[] = []
  for (const scheme of SCHEMES) {
    await showIn(page, scheme)
    const rules = scheme === SCHEMES[0] ? 'all' : 'of colours'
    found.push(...(await violationsOf(page, `${state} (${scheme})`, rules)))
  }
  return found
}

/** Checks that axe finds nothing in either colour scheme, and that the page is not wider than its screen. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  expect(await violationsInBothSchemes(page, state)).toEqual([])
  expect(await page.evaluate(isWide), `${state} is not wider than the screen`).toBe(false)
}

function isWide(): boolean {
  return document.documentElement.scrollWidth > globalThis.innerWidth
}

interface StillOptions {
  withinMs: number
  /** How often an element may start to move. */
  timesMax: number
}

/**
 * Waits until animations end: a colour in transition is neither of the two, and an inherited colour starts when its parent's has
 * ended. A spinner never ends. A level meter moves again with every frame, so an element that has moved this often is left out.
 * Returns the elements that still move in the end.
 */
async function standStill({ withinMs, timesMax }: StillOptions): Promise<string[]> {
  const times = new Map<Element | null, number>()
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- it goes into the page with the one around it
  const targetOf = ({ effect }: Animation) =>
    effect instanceof KeyframeEffect ? effect.target : null
  const findMoving = () =>
    document
      .getAnimations()
      .filter(
        (each) =>
          each.playState === 'running' &&
          each.effect?.getTiming().iterations !== Infinity &&
          (times.get(targetOf(each)) ?? 0) < timesMax,
      )
  let isLate = false
  const late = new Promise<void>((resolve) => {
    setTimeout(() => {
      isLate = true
      resolve()
    }, withinMs)
  })
  for (;;) {
    const moving = findMoving()
    if (moving.length === 0 || isLate)
      return moving.map((each) => String(targetOf(each)?.className))
    for (const target of new Set(moving.map(targetOf))) {
      times.set(target, (times.get(target) ?? 0) + 1)
    }
    const ended = Promise.all(moving.map(async ({ finished }) => finished.catch(() => {})))
    // One animation begins when another has ended.
    await Promise.race([ended, late])
  }
}

interface RuleSet {
  only: NonNullable<axe.RunOptions['runOnly']>
}

async function run({ only }: RuleSet): Promise<{ id: string; targets: string[] }[]> {
  const { axe: engine } = globalThis as unknown as { axe: typeof axe }
  const { violations } = await engine.run(document, {
    runOnly: only,
    resultTypes: ['violations'],
  })
  return violations.map(({ id, nodes }) => ({
    id,
    targets: nodes.map(({ target, any }) => `${String(target)} ${any[0]?.message ?? ''}`),
  }))
}
