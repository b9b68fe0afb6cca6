import type { BoardPerson } from '@interview-room/contract/board.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { LastTest } from '../design/last-test.tsx'
import { useText } from './board-text.ts'
import { LineState } from './line-state.tsx'
import styles from './people.module.css'

const ORDER: readonly Role[] = ['panelist', 'moderator', 'observer', 'platform_observer']
/** Those without whom there is no interview: their absence is shown, too. */
const EXPECTED: readonly Role[] = ['panelist', 'moderator']

/** Who is inside, by role. */
export function People({ people }: { people: readonly BoardPerson[] }) {
  const text = useText()
  const groups = ORDER.map((role) => ({
    role,
    inside: people.filter((person) => person.role === role),
  })).filter(({ role, inside }) => inside.length > 0 || EXPECTED.includes(role))
  return (
    <dl className={styles.people} aria-label={text.people}>
      {groups.map(({ role, inside }) => (
        <div key={role} data-testid={`people-${role}`} data-count={inside.length}>
          <dt>
            {text.roles[role]}
            {inside.length > 1 && <span className={styles.count}>{inside.length}</span>}
          </dt>
          {inside.length === 0 && <dd className={styles.nobody}>{text.nobody}</dd>}
          {inside.map((person) => (
            <dd key={person.identity}>
              <span className={styles.name}>{person.display_name}</span>
              <LineState line={person.line} />
              <LastTest test={person.last_test} />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}
