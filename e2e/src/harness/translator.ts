/**
 * Does to a page what a browser's translator does: it moves the words of every text into elements of its own, at once and
 * whenever the page draws new ones. The words stay the same, so that tests find them. Runs in the page.
 */
export const TRANSLATOR = `(${translate.toString()})()`

function translate(): void {
  const LEFT_ALONE =
    'script, style, textarea, title, noscript, font, [translate="no"], .notranslate'

  function move(text: Text): void {
    const { parentElement } = text
    if (parentElement === null || !/\S/.test(text.data)) return
    if (parentElement.closest(LEFT_ALONE) !== null) return
    const outer = document.createElement('font')
    const inner = document.createElement('font')
    inner.textContent = text.data
    outer.append(inner)
    text.replaceWith(outer)
  }

  function moveAll(root: Node): void {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) move(text)
  }

  addEventListener('DOMContentLoaded', () => {
    moveAll(document.body)
    new MutationObserver((changes) => {
      for (const { type, addedNodes, target } of changes) {
        if (type === 'characterData') move(target as Text)
        for (const node of addedNodes) {
          if (node instanceof Text) move(node)
          else moveAll(node)
        }
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
}
