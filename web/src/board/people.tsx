import type { BoardPerson } from '@interview-room/contract/board.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { useId } from 'react'
import { LastTest } from '../design/last-test.tsx'
import { useText } from './board-text.ts'
import { ConnectionState } from './connection-state.tsx'
import { byRole } from './people-by-role.ts'
import styles from './people.module.css'

/** The people inside, by role. */
export function People({ people }: { people: readonly BoardPerson[] }) {
  const text = useText()
  return (
    <ul className={styles.people} aria-label={text.people}>
      {byRole(people).map(({ role, inside }) => (
        <Group key={role} role={role} inside={inside} />
      ))}
    </ul>
  )
}

function Group({ role, inside }: { role: Role; inside: readonly BoardPerson[] }) {
  const text = useText()
  const id = useId()
  return (
    <li className={styles.group}>
      <p className={styles.role}>
        <span id={id}>{text.roles[role]}</span>
        {inside.length > 1 && <span className={styles.count}>{inside.length}</span>}
      </p>
      <ul className={styles.inside} aria-labelledby={id}>
        {inside.length === 0 && <li className={styles.nobody}>{text.nobody}</li>}
        {inside.map((person) => (
          <li key={person.identity} className={styles.person}>
            <bdi className={styles.name}>{person.display_name}</bdi>
            <ConnectionState line={person.line} />
            <LastTest test={person.last_test} />
          </li>
        ))}
      </ul>
    </li>
  )
}
