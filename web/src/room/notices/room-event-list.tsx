import { useToolsText } from '../../i18n/tools-text.ts'
import type { ReceivedEvent } from '../../live/store.ts'
import { useLiveState } from '../../live/use-live.tsx'
import styles from './room-event-list.module.css'
import { isPrivate, momentOf, noteOf, roomEventText } from './room-event-text.ts'

/** Events since the page was opened, newest first. */
export function RoomEventList() {
  const text = useToolsText()
  const facts = useLiveState((state) => state.facts)
  return (
    <div className={styles.facts}>
      <header>
        <h2>{text.facts.title}</h2>
        <p>{text.facts.lead}</p>
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label={text.facts.title}>
        {facts.length === 0 && <p className={styles.empty}>{text.facts.empty}</p>}
        <ol>
          {facts.toReversed().map((event) => (
            <RoomEventRow key={event.key} event={event} />
          ))}
        </ol>
      </section>
    </div>
  )
}

function RoomEventRow({ event }: { event: ReceivedEvent }) {
  const text = useToolsText()
  const note = noteOf(event)
  const moment = momentOf(event)
  const time = new Date(moment).toLocaleTimeString('en-GB')
  return (
    <li>
      <time dateTime={moment}>{time}</time>
      <span>
        <span>{roomEventText(text, event)}</span>
        {note !== null && <q dir="auto">{note}</q>}
        {isPrivate(event) && <small>{text.facts.onlyYou}</small>}
      </span>
    </li>
  )
}
