import { headingOfPage } from '../../design/use-focus-kept.ts'

/** Of the notices over the pictures: the next of them, or else the heading of the page. */
export function nextNotice(notices: HTMLElement): HTMLElement | null {
  return notices.querySelector<HTMLElement>('button:enabled') ?? headingOfPage()
}

/** Of an open panel: its list. No button, whose press may show something to everybody. */
export function listOf(panel: HTMLElement): HTMLElement | null {
  return panel.querySelector<HTMLElement>('[role="log"], section[tabindex]')
}
