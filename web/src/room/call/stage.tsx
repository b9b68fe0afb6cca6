import type { CSSProperties, ReactNode } from 'react'
import type { Person } from '../../connection/call-state.ts'
import { useText } from '../../i18n/text.ts'
import styles from './stage.module.css'
import { PinButton } from './tile-button.tsx'
import { Tile } from './tile.tsx'
import type { StageLayout } from './use-layout.ts'

interface StageProps {
  people: readonly Person[]
  view: StageLayout
  /** Whether the person at this page has no tile of their own. */
  isWatching: boolean
  /** What stands on the own tile. */
  ownTools?: ReactNode
}

/** A tile for everybody who can be seen: equals in a grid, or one large above the others. */
export function Stage({ people, view, isWatching, ownTools }: StageProps) {
  const text = useText()
  const isAlone = people.every((person) => person.isLocal)
  const { featured } = view
  const rank = ({ identity }: Person) => (identity === featured ? 0 : 1)
  const ordered = people.toSorted((one, other) => rank(one) - rank(other))
  const columns = Math.ceil(Math.sqrt(people.length))
  return (
    <section className={styles.stage} aria-label={text.call.people}>
      <ul
        className={styles.grid}
        data-featured={featured !== null}
        style={{ '--columns': columns, '--count': people.length } as CSSProperties}
      >
        {ordered.map((person) => (
          <li key={person.identity} data-large={person.identity === featured}>
            <Tile person={person} isSaving={view.isSaving}>
              {people.length > 2 && (
                <PinButton
                  name={person.name}
                  isPinned={view.pinnedIdentity === person.identity}
                  onPress={() => view.togglePin(person.identity)}
                />
              )}
              {person.isLocal && ownTools}
            </Tile>
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
