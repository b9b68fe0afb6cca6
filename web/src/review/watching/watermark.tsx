import { useEffect, useState } from 'react'
import styles from './watermark.module.css'

const STAYS_MS = 15_000

/** The name of the viewer over a video, now and then at another place. */
export function Watermark({ name }: { name: string | null }) {
  const [place, setPlace] = useState(0)
  useEffect(() => {
    if (name === null) return undefined
    const timer = setInterval(() => setPlace((before) => before + 1), STAYS_MS)
    return () => clearInterval(timer)
  }, [name])
  if (name === null) return null
  const share = (step: number) => `${((0.21 + step * place) % 1) * 100}%`
  return (
    <div className={styles.area} aria-hidden="true">
      <span style={{ left: share(0.37), top: share(0.59) }}>{name}</span>
    </div>
  )
}
