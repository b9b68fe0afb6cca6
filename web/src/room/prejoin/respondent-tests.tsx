import type { RespondentTest } from '@interview-room/contract/connection-tests.ts'
import { useEffect, useState } from 'react'
import { fetchRespondentTests } from '../../connection/live-api.ts'
import { LastTest, useLastTestText } from '../../design/last-test.tsx'
import type { EntryLink } from './entry-link.ts'
import styles from './respondent-tests.module.css'

/** The results of the respondents' connection tests, for people who prepare the interview. */
export function RespondentTests({ link }: { link: EntryLink }) {
  const text = useLastTestText()
  const [tests, setTests] = useState<readonly RespondentTest[]>([])
  const token = link.secret?.kind === 'token' ? link.secret.value : null
  const isReader = link.role === 'moderator' || link.role === 'platform_observer'
  useEffect(() => {
    if (!isReader || token === null) return undefined
    const away = new AbortController()
    void fetchRespondentTests(link.roomId, token, away.signal).then((found) => {
      if (!away.signal.aborted) setTests(found)
    })
    return () => away.abort()
  }, [isReader, link.roomId, token])

  if (tests.length === 0) return null
  return (
    <section className={styles.tests} aria-label={text.title}>
      <ul>
        {tests.map((each) => (
          <li key={each.participant_id}>
            <strong>{each.display_name}</strong>
            {each.last_test === null ? (
              <span>{text.none}</span>
            ) : (
              <LastTest test={each.last_test} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
