import type { BoardPerson } from '@interview-room/contract/board.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { useId } from 'react'
import { LastTest } from '../design/last-test.tsx'
import { useText } from './board-text.ts'
import { ConnectionState } from './connection-state.tsx'
import styles from './people.module.css'

const ORDER: readonly Role[] = ['panelist', 'moderator', 'observer', 'platform_observer']
/** An interview needs these roles, so they are shown even if nobody is inside. */
const EXPECTED: readonly Role[] = ['panelist', 'moderator']

/** The people inside, by role. */
export function People({ people }: { people: readonly BoardPerson[] }) {
  const text = useText()
  const groups = ORDER.map((role) => ({
    role,
    inside: people.filter((person) => person.role === role),
  })).filter(({ role, inside }) => inside.length > 0 || EXPECTED.includes(role))
  return (
    <ul className={styles.people} aria-label={text.people}>
      {groups.map(({ role, inside }) => (
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
