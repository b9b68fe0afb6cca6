import { copyText } from '../design/copy-text.ts'

const SAID_MS = 2_000

/** Puts a button for copying next to every block of code. */
export function addCopyButtons(): void {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    const said = document.createElement('output')
    said.className = 'visually-hidden'
    button.addEventListener('click', () => void copy(block, button, said))
    block.append(button, said)
  }
}

async function copy(
  block: Element,
  button: HTMLButtonElement,
  said: HTMLOutputElement,
): Promise<void> {
  const isCopied = await copyText(block.querySelector('code')?.textContent ?? '')
  const words = isCopied ? 'Copied' : 'Not copied'
  button.textContent = words
  said.textContent = words
  setTimeout(() => {
    button.textContent = 'Copy'
    said.textContent = ''
  }, SAID_MS)
}
