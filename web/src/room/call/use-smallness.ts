import { useCallback, useState } from 'react'

/** The same sizes as in `call-page.module.css`, in letters. */
const WIDTH_MAX = 40
const HEIGHT_MAX = 30

/**
 * True while an element is a phone's, or as small in the reader's own letters: too small for every control beside the
 * pictures. The first child of the element is as wide as a letter (1rem).
 */
export function useSmallness() {
  const [isSmall, setIsSmall] = useState(false)
  const ref = useCallback((element: HTMLElement | null) => {
    const letter = element?.firstElementChild
    if (element === null || letter == null) return undefined
    function measure(): void {
      const { width = 0, height = 0 } = element?.getBoundingClientRect() ?? {}
      const unit = letter?.getBoundingClientRect().width ?? 0
      setIsSmall(width <= WIDTH_MAX * unit || height <= HEIGHT_MAX * unit)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    observer.observe(letter)
    return () => observer.disconnect()
  }, [])
  return { ref, isSmall }
}
