import { headingOfPage } from '../../design/use-focus-kept.ts'

/** The next notice over the pictures, or else the heading of the page. */
export function nextNotice(notices: HTMLElement): HTMLElement | null {
  return notices.querySelector<HTMLElement>('button:enabled') ?? headingOfPage()
}

/** The list of an open panel. Never a button, because its press might show something to everybody. */
export function listOf(panel: HTMLElement): HTMLElement | null {
  return panel.querySelector<HTMLElement>('[role="log"], section[tabindex]')
}
