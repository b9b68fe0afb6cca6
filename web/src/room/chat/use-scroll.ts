import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Positions this close to an end count as being there. */
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
 * Keeps the scroll position of a list of messages: at the end while the reader is there, and on the same message when
 * older ones are added above it.
 */
export function useScroll({ isOpen, firstId, lastId, ownId, hasMore, loadOlder }: ScrollOptions) {
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const isAtEnd = useRef(true)
  const before = useRef({ firstId, lastId, height: 0 })
  /** The last message at the moment when the reader scrolled away from the end. Null while they are at the end. */
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
    // A page of the history may contain no message of this chat.
    if (hasMore && scrollHeight <= place.clientHeight) loadOlder()
  }, [firstId, lastId, isOpen, hasMore, loadOlder])

  useEffect(() => {
    if (ownId === undefined) return
    isAtEnd.current = true
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [ownId])

  function onScroll(): void {
    const place = box.current
    // A closed panel has no height, and tells nothing about its reader.
    if (place === null || place.clientHeight === 0) return
    isAtEnd.current = place.scrollHeight - place.scrollTop - place.clientHeight < NEAR_PX
    const isThere = isAtEnd.current
    setLeftAt((left) => (isThere ? null : (left ?? { lastId })))
    if (hasMore && place.scrollTop < NEAR_PX) loadOlder()
  }

  return {
    box,
    list,
    isAway: leftAt !== null,
    isNewBelow: leftAt !== null && leftAt.lastId !== lastId,
    onScroll,
    toEnd: () => box.current?.scrollTo({ top: box.current.scrollHeight }),
  }
}
