import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Within this of an end counts as being there. */
const NEAR_PX = 60

interface ScrollOptions {
  isOpen: boolean
  firstId: string | undefined
  lastId: string | undefined
  /** One's own new message is always scrolled into view. */
  ownId: string | undefined
  hasMore: boolean
  loadOlder: () => void
}

/**
 * Keeps a list of messages where its reader is: at the end while they are there, and on the same
 * message while older ones are put before it.
 */
export function useScroll({ isOpen, firstId, lastId, ownId, hasMore, loadOlder }: ScrollOptions) {
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const isAtEnd = useRef(true)
  const before = useRef({ firstId, lastId, height: 0 })
  /** The last message when the reader scrolled away from the end; null while they are there. */
  const [leftAt, setLeftAt] = useState<{ lastId: string | undefined } | null>(null)

  useEffect(() => {
    if (box.current === null || list.current === null) return undefined
    const sizes = new ResizeObserver(() => {
      if (isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight })
    })
    sizes.observe(box.current)
    sizes.observe(list.current)
    return () => sizes.disconnect()
  }, [])

  useLayoutEffect(() => {
    const place = box.current
    if (place === null || !isOpen) return
    const { scrollHeight } = place
    const wasPutBefore = firstId !== before.current.firstId
    if (wasPutBefore && !isAtEnd.current) place.scrollTop += scrollHeight - before.current.height
    before.current = { firstId, lastId, height: scrollHeight }
    // A page of the history may have nothing for this chat.
    if (hasMore && scrollHeight <= place.clientHeight) loadOlder()
  }, [firstId, lastId, isOpen, hasMore, loadOlder])

  useEffect(() => {
    if (ownId === undefined) return
    isAtEnd.current = true
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [ownId])

  function onScroll(): void {
    const place = box.current
    // A panel that is closed has no height, and says nothing of its reader.
    if (place === null || place.clientHeight === 0) return
    isAtEnd.current = place.scrollHeight - place.scrollTop - place.clientHeight < NEAR_PX
    const isThere = isAtEnd.current
    setLeftAt((left) => (isThere ? null : (left ?? { lastId })))
    if (hasMore && place.scrollTop < NEAR_PX) loadOlder()
  }

  return {
    box,
    list,
    isNewBelow: leftAt !== null && leftAt.lastId !== lastId,
    onScroll,
    toEnd: () => box.current?.scrollTo({ top: box.current.scrollHeight }),
  }
}
