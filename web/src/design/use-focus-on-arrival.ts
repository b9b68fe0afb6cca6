import { type RefObject, useEffect, useRef } from 'react'

/**
 * For the heading of a page that takes the place of another, with `tabIndex` -1: screen readers read it out, and the
 * keyboard does not go with the button that was pressed.
 */
export function useFocusOnArrival(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return heading
}
