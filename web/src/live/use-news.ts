import { useEffect, useRef, useState } from 'react'

/** The words, whenever what has this id comes, changes or goes; none for what was there at first. */
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
