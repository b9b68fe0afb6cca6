import type { LastConnectionTest } from '@interview-room/contract/connection-tests.ts'
import { useLocale } from '../i18n/language.tsx'
import { lastTestEn } from '../i18n/last-test-en.ts'
import { type LastTestDictionary, lastTestJa } from '../i18n/last-test-ja.ts'
import { momentText } from '../i18n/times.ts'
import styles from './last-test.module.css'

const DICTIONARIES = { ja: lastTestJa, en: lastTestEn }

export function useLastTestText(): LastTestDictionary {
  return DICTIONARIES[useLocale()]
}

/** The one-line result of a person's newest connection test. Empty if there is none. */
export function LastTest({ test }: { test: LastConnectionTest | null | undefined }) {
  const text = useLastTestText()
  const locale = useLocale()
  if (test === null || test === undefined) return null
  const facts = factsOf(test, text)
  return (
    <span className={styles.test}>
      <span>
        {`${text.at(momentText(test.completed_at, locale))}${text.colon}${facts.join(text.separator)}`}
      </span>
      {test.warnings.map((warning) => (
        <span key={warning} className={styles.warning}>
          {text.warning[warning]}
        </span>
      ))}
    </span>
  )
}

function factsOf(test: LastConnectionTest, text: LastTestDictionary): string[] {
  if (test.failure_reason !== null) return [text.failure[test.failure_reason]]
  const { recommended_resolution: resolution, recommended_frame_rate: frameRate, mos } = test
  const picture =
    resolution === null || frameRate === null
      ? text.noVideo
      : text.picture(resolution.replace('x', '×'), frameRate)
  return mos === null ? [picture] : [picture, text.sound(mos.toFixed(1))]
}
