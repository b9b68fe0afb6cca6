import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { waitFor } from './wait.ts'

const STANDARD = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** What the dark colours can break; everything else is the same page. */
const COLOURS = ['color-contrast']

const RULES = { light: STANDARD, dark: COLOURS }
export type Scheme = keyof typeof RULES

/** What axe finds on the page as it stands: one line for each rule and colour scheme. */
export async function violationsOf(
  page: Page,
  state: string,
  schemes: readonly Scheme[] = ['light', 'dark'],
): Promise<string[]> {
  // Given by the debugger, because the policy of the pages forbids scripts in them.
  await page.evaluate(axe.source)
  const found: string[] = []
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await waitFor(() => page.evaluate(isStill), { what: `${state} stands still` })
    for (const { id, targets } of await page.evaluate(run, RULES[scheme])) {
      found.push(`${state} (${scheme}): ${id} at ${targets.join(', ')}`)
    }
  }
  return found
}

/** A colour on its way to another one is neither. A meter or a spinner never ends. */
function isStill(): boolean {
  return document
    .getAnimations()
    .every(
      (each) => each.playState !== 'running' || each.effect?.getTiming().iterations === Infinity,
    )
}

async function run(rules: string[]): Promise<{ id: string; targets: string[] }[]> {
  const { axe: engine } = globalThis as unknown as { axe: typeof axe }
  // The announcer of React Aria goes on naming a pending button for seconds after its page was replaced.
  const context = { exclude: ['[data-live-announcer]'] }
  const { violations } = await engine.run(context, {
    runOnly: rules,
    resultTypes: ['violations'],
  })
  return violations.map(({ id, nodes }) => ({
    id,
    targets: nodes.map(({ target }) => String(target)),
  }))
}
