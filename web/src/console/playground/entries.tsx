import type { EntryHistoryBody } from '@interview-room/contract/participants.ts'
import { Badge } from '../../design/badge.tsx'
import { useLocale } from '../../i18n/language.tsx'
import { durationText, timeText } from '../../i18n/times.ts'
import styles from './entries.module.css'
import { useText } from './text.ts'

interface EntriesProps {
  entries: readonly EntryHistoryBody[]
  participants: number
}

/** The entry histories, as the tenant's backend reads them. */
export function Entries({ entries, participants }: EntriesProps) {
  const text = useText().entries
  const inside = entries.filter((entry) => entry.left_at === null).length
  return (
    <section className={styles.entries} aria-label={text.title}>
      <header>
        <h3>{text.title}</h3>
        {participants > 0 && <Badge>{text.people(participants)}</Badge>}
        {inside > 0 && <Badge tone="good">{text.inRoom(inside)}</Badge>}
      </header>
      {entries.length === 0 ? (
        <p className={styles.empty}>{text.empty}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without it only a pointer can scroll to what is wider than a phone
        <div className={styles.scroll} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {[text.name, text.role, text.entered, text.left, text.duration, text.browser].map(
                  (word) => (
                    <th key={word} scope="col">
                      {word}
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <EntryRow key={entry.id} entry={entry} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function EntryRow({ entry }: { entry: EntryHistoryBody }) {
  const text = useText()
  const locale = useLocale()
  const { left_at, duration_sec, browser_name, browser_version, platform_name } = entry
  const browser = [browser_name, browser_version?.split('.')[0]].filter(Boolean).join(' ')
  return (
    <tr>
      <td>{entry.name}</td>
      <td>{text.roles[entry.role]}</td>
      <td>{timeText(entry.entered_at, locale)}</td>
      <td>
        {left_at === null ? (
          <Badge tone="good">{text.entries.inside}</Badge>
        ) : (
          timeText(left_at, locale)
        )}
      </td>
      <td>{duration_sec === null ? '' : durationText(duration_sec)}</td>
      <td>{[browser, platform_name].filter(Boolean).join(', ')}</td>
    </tr>
  )
}
