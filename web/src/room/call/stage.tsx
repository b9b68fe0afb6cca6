import type { CSSProperties } from 'react'
import type { Person } from '../../connection/call-state.ts'
import { useText } from '../text.ts'
import styles from './stage.module.css'
import { Tile } from './tile.tsx'

interface StageProps {
  people: readonly Person[]
  /** Whether the person at this page has no tile of their own. */
  isWatching: boolean
}

/** A tile for everybody who can be seen. */
export function Stage({ people, isWatching }: StageProps) {
  const text = useText()
  const isAlone = people.every((person) => person.isLocal)
  const columns = Math.ceil(Math.sqrt(people.length))
  return (
    <section className={styles.stage} aria-label={text.call.people}>
      <ul
        className={styles.grid}
        style={{ '--columns': columns, '--count': people.length } as CSSProperties}
      >
        {people.map((person) => (
          <li key={person.identity}>
            <Tile person={person} />
          </li>
        ))}
      </ul>
      {isAlone && (
        <div className={isWatching ? styles.empty : styles.waiting}>
          <strong>{isWatching ? text.observer.nobodyYet : text.call.waiting}</strong>
          {isWatching && <span>{text.observer.nobodyYetHint}</span>}
        </div>
      )}
    </section>
  )
}
