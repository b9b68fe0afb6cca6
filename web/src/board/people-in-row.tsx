import type { BoardPerson } from '@interview-room/contract/board.ts'
import { useText } from './board-text.ts'
import { ConnectionState } from './connection-state.tsx'
import { byRole, EXPECTED, worstFirst } from './people-by-role.ts'
import styles from './people-in-row.module.css'

interface PeopleInRowProps {
  people: readonly BoardPerson[]
  className: string | undefined
}

/** Respondents and moderators by the one with the worst connection, the others by their number. */
export function PeopleInRow({ people, className }: PeopleInRowProps) {
  const text = useText()
  return (
    <div className={`${styles.people} ${className}`}>
      {byRole(people).map(({ role, inside }) => {
        const [first, ...others] = worstFirst(inside)
        const isNamed = EXPECTED.includes(role)
        const count = isNamed ? `+${others.length}` : inside.length
        return (
          <div key={role} className={styles.group}>
            <span className={styles.role} title={text.roles[role]} aria-hidden="true">
              {text.roleLetters[role]}
            </span>
            <ul className={styles.inside} aria-label={text.roles[role]}>
              {first === undefined ? (
                <li className={styles.nobody}>{text.nobody}</li>
              ) : (
                <li className={styles.person}>
                  {isNamed && <ConnectionState line={first.line} isShort />}
                  <bdi className={isNamed ? styles.name : 'visually-hidden'}>
                    {first.display_name}
                  </bdi>
                </li>
              )}
              {(others.length > 0 || !isNamed) && <li className={styles.others}>{count}</li>}
            </ul>
          </div>
        )
      })}
    </div>
  )
}
