import { useEffect } from 'react'

/** Prevents that a misplaced drop of a file leaves the room. */
export function useStrayDrops(): void {
  useEffect(() => refuseStrayDrops(document), [])
}

/**
 * Ignores files that are dropped outside of the chat. The browser would open the file in place of the room. Returns a
 * function that stops it.
 */
export function refuseStrayDrops(page: EventTarget): () => void {
  const away = new AbortController()
  page.addEventListener('dragover', refuse, { signal: away.signal })
  page.addEventListener('drop', refuse, { signal: away.signal })
  return () => away.abort()
}

function refuse(event: Event): void {
  const { dataTransfer } = event as DragEvent
  // An element that accepts files has already handled the event.
  if (event.defaultPrevented || dataTransfer?.types.includes('Files') !== true) return
  event.preventDefault()
  dataTransfer.dropEffect = 'none'
}
