import { useEffect, useRef, useState } from 'react'

/**
 * The words to announce when the thing with this id appears, changes or disappears. Things that are there at first
 * are not announced.
 */
export function useNews(id: string | null, words: string): string {
  const before = useRef(id)
  const [news, setNews] = useState('')
  useEffect(() => {
    if (id === before.current) return
    before.current = id
    setNews(words)
  }, [id, words])
  return news
}
