import { useEffect } from 'react'

/** Nobody leaves the room by a file that misses its place. */
export function useStrayDrops(): void {
  useEffect(() => refuseStrayDrops(document), [])
}

/**
 * A file that is dropped beside the chat does nothing. Browsers would open it in the place of the room, which its
 * person then has left. Answers how to end it.
 */
export function refuseStrayDrops(page: EventTarget): () => void {
  const away = new AbortController()
  page.addEventListener('dragover', refuse, { signal: away.signal })
  page.addEventListener('drop', refuse, { signal: away.signal })
  return () => away.abort()
}

function refuse(event: Event): void {
  const { dataTransfer } = event as DragEvent
  // Where files are taken, that is said already.
  if (event.defaultPrevented || dataTransfer?.types.includes('Files') !== true) return
  event.preventDefault()
  dataTransfer.dropEffect = 'none'
}
