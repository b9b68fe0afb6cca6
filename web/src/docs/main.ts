import '../design/tokens.css'
import '../design/base.css'
import './docs.css'
import { addCopyButtons } from './copy-buttons.ts'
import { openSearch } from './open-search.ts'

// The pages come complete from the service. Scripts add only what cannot work without them.
const header = document.querySelector('header')
if (header !== null) {
  openMenu(header)
  openSearch(header)
}
addCopyButtons()
document.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })

/** On a phone, the list of pages is behind a button. */
function openMenu(place: HTMLElement): void {
  const button = place.querySelector('button')
  const pages = document.querySelector('#pages')
  if (button === null || pages === null) return
  const show = (isOpen: boolean) => {
    button.setAttribute('aria-expanded', String(isOpen))
    pages.toggleAttribute('data-closed', !isOpen)
  }
  button.hidden = false
  show(false)
  button.addEventListener('click', () => show(button.getAttribute('aria-expanded') !== 'true'))
  pages.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLAnchorElement) show(false)
  })
}
