import { findSections, type Section, snippetOf } from './find-sections.ts'

/** Shows results of a search over all pages while a person types. The index is loaded at the first use. */
export function openSearch(header: HTMLElement): void {
  const place = header.querySelector<HTMLElement>('[role=search]')
  const input = place?.querySelector('input')
  const status = place?.querySelector('p')
  const list = place?.querySelector('ul')
  if (!place || !input || !status || !list) return
  let index: Promise<readonly Section[]> | undefined

  async function search(): Promise<void> {
    index ??= loadIndex()
    const sections = await index.catch(() => {
      index = undefined
      return []
    })
    show(findSections(sections, input?.value ?? ''))
  }

  function show(found: readonly Section[]): void {
    if (!input || !list || !status) return
    const isAsked = input.value.trim() !== ''
    list.replaceChildren(...found.map((section) => itemOf(section, input.value)))
    list.hidden = found.length === 0
    status.textContent = isAsked ? wordsOf(found.length) : ''
    status.className = isAsked && found.length === 0 ? 'none' : 'visually-hidden'
  }

  place.hidden = false
  input.addEventListener('input', () => void search())
  place.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      input.value = ''
      show([])
      input.focus()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      moveFocus([input, ...list.querySelectorAll('a')], event.key === 'ArrowDown' ? 1 : -1)
    }
  })
  place.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && place.contains(relatedTarget))) list.hidden = true
  })
  place.addEventListener('focusin', () => {
    list.hidden = list.childElementCount === 0
  })
  // The key that documentation sites share for their search.
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || document.activeElement instanceof HTMLInputElement) return
    event.preventDefault()
    input.focus()
  })
}

async function loadIndex(): Promise<readonly Section[]> {
  const response = await fetch('/docs/search.json')
  return (await response.json()) as Section[]
}

const wordsOf = (count: number) => (count === 0 ? 'Nothing found' : `${count} results`)

function itemOf(section: Section, wanted: string): HTMLElement {
  const link = document.createElement('a')
  link.href = section.href
  for (const [className, text] of [
    ['heading', section.heading],
    ['page', section.page],
    ['snippet', snippetOf(section, wanted)],
  ] as const) {
    const part = document.createElement('span')
    part.className = className
    part.textContent = `${text} `
    link.append(part)
  }
  const item = document.createElement('li')
  item.append(link)
  return item
}

function moveFocus(places: readonly HTMLElement[], by: 1 | -1): void {
  const at = places.indexOf(document.activeElement as HTMLElement)
  places[Math.min(places.length - 1, Math.max(0, at + by))]?.focus()
}
