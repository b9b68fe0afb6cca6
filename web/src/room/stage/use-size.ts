import { useCallback, useState } from 'react'

interface Size {
  width: number
  height: number
}

/** The size of an element in CSS pixels, whenever it changes; 0 by 0 until there is one. */
export function useSize() {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, size }
}
