import { type RefObject, useEffect, useRef } from 'react'

/**
 * Focuses the heading of a page that replaces another one; it needs `tabIndex` -1. Screen readers announce it, and
 * the keyboard focus is not lost with the pressed button.
 */
export function useFocusOnArrival(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return heading
}
