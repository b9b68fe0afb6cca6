import type { UsageBody } from '@interview-room/contract/management.ts'
import { useEffect, useState } from 'react'
import { Notice } from '../design/notice.tsx'
import { Panel } from '../design/panel.tsx'
import { useLocale } from '../i18n/language.tsx'
import { useConsole } from './console-context.ts'
import { problemText, useText } from './console-text.ts'
import styles from './console.module.css'
import { Facts } from './list-panel.tsx'

const MONTHS = 12

/** Start of the month `back` months before the month of `now`, in local time. */
function monthStart(now: Date, back: number): Date {
  return new Date(now.getFullYear(), now.getMonth() - back, 1)
}

/** The tenant's usage in one month, and its limits. */
export function Usage() {
  const { api } = useConsole()
  const words = useText()
  const text = words.usage
  const locale = useLocale()
  const [now] = useState(() => new Date())
  const [back, setBack] = useState(0)
  const [answer, setAnswer] = useState<{ back: number; usage?: UsageBody; error?: unknown }>()

  useEffect(() => {
    let isOver = false
    const query = {
      from: monthStart(now, back).toISOString(),
      to: monthStart(now, back - 1).toISOString(),
    }
    void api<'getUsage'>('GET', '/usage', { query }).then(
      (usage) => !isOver && setAnswer({ back, usage }),
      (error: unknown) => !isOver && setAnswer({ back, error }),
    )
    return () => {
      isOver = true
    }
  }, [api, now, back])

  const shown = answer?.back === back ? answer : undefined
  const nameOf = (month: number) =>
    monthStart(now, month).toLocaleDateString(locale, { year: 'numeric', month: 'long' })
  return (
    <Panel title={text.title}>
      <div className={styles.form}>
        <label>
          {text.month}
          <select value={back} onChange={({ target }) => setBack(Number(target.value))}>
            {Array.from({ length: MONTHS }, (_, month) => (
              <option key={month} value={month}>
                {nameOf(month)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {shown === undefined && <output className={styles.lead}>{words.loading}</output>}
      {shown?.error !== undefined && (
        <Notice title={words.listFailed}>{problemText(words, shown.error)}</Notice>
      )}
      {shown?.usage !== undefined && <UsageFacts usage={shown.usage} />}
    </Panel>
  )
}

function UsageFacts({ usage }: { usage: UsageBody }) {
  const text = useText().usage
  const locale = useLocale()
  const number = (value: number) => value.toLocaleString(locale)
  const bytes = (value: number) => `${number(Math.round(value / 1e7) / 100)} GB`
  const limit = (value: number | null, show = number) => (value === null ? text.none : show(value))
  const { limits } = usage
  return (
    <>
      <h3 className={styles.subtitle}>{text.period}</h3>
      <Facts
        facts={[
          [text.roomsBooked, number(usage.rooms_booked)],
          [text.entries, number(usage.entries)],
          [text.participantMinutes, number(usage.participant_minutes)],
          [text.recordings, number(usage.recordings)],
          [text.recordedMinutes, number(usage.recorded_minutes)],
          [text.transcriptions, number(usage.transcriptions)],
          [text.connectionTests, number(usage.connection_tests)],
        ]}
      />
      <h3 className={styles.subtitle}>{text.now}</h3>
      <Facts
        facts={[
          [text.roomsOpen, text.of(number(usage.rooms_open), limit(limits.rooms_open))],
          [text.stored, text.of(bytes(usage.stored_bytes), limit(limits.stored_bytes, bytes))],
          [text.requests, limit(limits.requests_per_min)],
        ]}
      />
    </>
  )
}
