import { useToolsText } from '../../i18n/tools-text.ts'
import type { ToldFact } from '../../live/store.ts'
import { useLiveState } from '../../live/use-live.tsx'
import styles from './fact-list.module.css'
import { factWords, noteOf } from './fact-words.ts'

/** What happened since the page was opened, newest first. */
export function FactList() {
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
          {facts.toReversed().map((fact) => (
            <FactRow key={fact.key} fact={fact} />
          ))}
        </ol>
      </section>
    </div>
  )
}

function FactRow({ fact }: { fact: ToldFact }) {
  const text = useToolsText()
  const note = noteOf(fact)
  const time = new Date(fact.created_at).toLocaleTimeString('en-GB')
  return (
    <li>
      <time dateTime={fact.created_at}>{time}</time>
      <span>
        {factWords(text, fact)}
        {note !== null && <q>{note}</q>}
      </span>
    </li>
  )
}
