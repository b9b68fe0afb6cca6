import { chooseLocale, recallLocale } from '../i18n/locale.ts'
import { START_TEXT } from '../i18n/start-text.ts'
import { isTooOld } from './old-browser.ts'

/**
 * The first script of every page. It is inlined into the page and built for browsers that cannot read the other
 * scripts. Until the page has started, it shows the reason why nothing is visible: the browser is too old, the
 * connection is slow, or scripts did not arrive. It requests missing scripts again.
 *
 * It uses `window`, because browsers that are too old may have no `globalThis`.
 */
type Obstacle = 'slow' | 'lost' | 'failed' | 'tooOld'

const SLOW_MS = 6_000
const ATTEMPT_MS = 3_000
const ATTEMPT_MS_MAX = 30_000
const ANSWER_MS = 10_000
/** Limits the reloads of a page whose scripts arrive but never start. */
const RELOADS_MAX = 4
const RELOADS = 'interview-room.reloads'
const NOTICE = 'start-notice'

const locale = chooseLocale([recallLocale(), ...navigator.languages])
const text = START_TEXT[locale]
let isOver = false
let shown: Obstacle | undefined
let attempt: ReturnType<typeof setTimeout> | undefined
const stylesWaitMs = new Map<string, number>()

addEventListener('error', onError, true)
// Register before the other scripts run, because `DOMContentLoaded` waits for them.
document.addEventListener('readystatechange', onParsed, { once: true })

function onParsed(): void {
  const root = rootElement()
  if (root === null) return
  const watch = new MutationObserver(() => {
    if (!isStarted(root)) return
    watch.disconnect()
    onStarted()
  })
  watch.observe(root, { childList: true })
  if (isTooOld(window)) show('tooOld')
  // An error happened before there was an element to show it in.
  else if (shown !== undefined) show(shown)
  setTimeout(() => {
    if (shown === undefined) show('slow')
  }, SLOW_MS)
}

function onStarted(): void {
  isOver = true
  clearTimeout(attempt)
  countReloads(0)
}

/** Handles a script or a style sheet that did not load, and a script that cannot be parsed or run. */
function onError({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') loadStylesAgain(target)
  else if (target instanceof HTMLScriptElement) onLost(target.src)
  else if (target === window) show(isTooOld(window) ? 'tooOld' : 'failed')
}

/** Includes the styles of a part that is loaded later. A page without its styles runs, but cannot be used. */
function loadStylesAgain(link: HTMLLinkElement): void {
  const waitMs = stylesWaitMs.get(link.href) ?? ATTEMPT_MS
  stylesWaitMs.set(link.href, Math.min(waitMs * 2, ATTEMPT_MS_MAX))
  setTimeout(() => link.replaceWith(link.cloneNode()), waitMs)
}

function onLost(address: string): void {
  if (isOver || attempt !== undefined) return
  show('lost')
  addEventListener('online', () => void tryAgain(address, ATTEMPT_MS))
  attempt = setTimeout(() => void tryAgain(address, ATTEMPT_MS), ATTEMPT_MS)
}

/**
 * Reloads the page once the missing file can be fetched. A reload before that would show the browser's own error
 * page.
 */
async function tryAgain(address: string, waitedMs: number): Promise<void> {
  clearTimeout(attempt)
  const reloads = reloadsSoFar()
  if (isOver || reloads >= RELOADS_MAX) return show('failed')
  if (await canFetch(address)) {
    if (isOver) return undefined
    countReloads(reloads + 1)
    return location.reload()
  }
  const waitMs = Math.min(waitedMs * 2, ATTEMPT_MS_MAX)
  attempt = setTimeout(() => void tryAgain(address, waitMs), waitMs)
  return undefined
}

async function canFetch(address: string): Promise<boolean> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), ANSWER_MS)
  try {
    const { ok } = await fetch(address, { cache: 'reload', signal: abort.signal })
    return ok
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

function show(obstacle: Obstacle): void {
  // Waiting does not help an old browser, so its notice stays.
  if (isOver || shown === 'tooOld') return
  shown = obstacle
  const root = rootElement()
  if (root === null || isStarted(root)) return
  document.documentElement.lang = locale
  root.textContent = ''
  root.append(noticeOf(obstacle))
}

function noticeOf(obstacle: Obstacle): HTMLElement {
  const { title, body } = text[obstacle]
  const notice = elementOf('main')
  notice.id = NOTICE
  // The style sheet may be the file that is missing.
  notice.style.cssText =
    'max-width: 32rem; margin: 15vh auto 0; padding: 1.5rem; font-family: system-ui, sans-serif'
  const words = elementOf('div')
  words.setAttribute('role', 'alert')
  words.append(elementOf('h1', title), elementOf('p', body))
  notice.append(words)
  if (obstacle !== 'tooOld') notice.append(reloadButton())
  return notice
}

function reloadButton(): HTMLElement {
  const button = elementOf('button', text.reload)
  button.style.cssText = 'min-height: 44px; margin-top: 1rem; padding: 0 1.5rem; font: inherit'
  button.addEventListener('click', () => {
    countReloads(0)
    location.reload()
  })
  return button
}

function elementOf(name: string, words = ''): HTMLElement {
  const element = document.createElement(name)
  element.textContent = words
  return element
}

const rootElement = (): Element | null => document.querySelector('#root')

function isStarted(root: Element): boolean {
  const first = root.firstElementChild
  return first !== null && first.id !== NOTICE
}

function reloadsSoFar(): number {
  try {
    return Number(sessionStorage.getItem(RELOADS) ?? 0)
  } catch {
    // Without storage, reloads cannot be counted and might never end. Let the person decide.
    return RELOADS_MAX
  }
}

function countReloads(count: number): void {
  try {
    if (count === 0) sessionStorage.removeItem(RELOADS)
    else sessionStorage.setItem(RELOADS, String(count))
  } catch {
    // See above.
  }
}
