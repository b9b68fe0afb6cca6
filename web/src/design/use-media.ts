import { useSyncExternalStore } from 'react'

/** A phone, a narrow window, or an enlarged page: too small for every control beside the pictures. */
export const PHONE = '(max-width: 40rem), (max-height: 30rem)'

/** True while the page matches the media query. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}
