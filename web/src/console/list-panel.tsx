import type { ReactNode } from 'react'
import { Button } from '../design/button.tsx'
import { Notice } from '../design/notice.tsx'
import { Panel } from '../design/panel.tsx'
import { problemText, useText } from './console-text.ts'
import styles from './console.module.css'
import type { List } from './use-list.ts'

interface ListPanelProps<T> {
  title: string
  empty: string
  list: List<T>
  /** Above the list. */
  filters?: ReactNode
  children: (item: T) => ReactNode
}

/** A list in each of its states: loading, failed, empty, and with more pages. */
export function ListPanel<T>({ title, empty, list, filters, children }: ListPanelProps<T>) {
  const text = useText()
  const { items, error, isLoading } = list
  const refresh = (
    <Button size="small" isPending={isLoading} onPress={list.refresh}>
      {text.refresh}
    </Button>
  )
  return (
    <Panel title={title} aside={refresh}>
      {filters}
      {error !== null && <Notice title={text.listFailed}>{problemText(text, error)}</Notice>}
      {items === undefined && isLoading && <output className={styles.lead}>{text.loading}</output>}
      {items?.length === 0 && <p className={styles.lead}>{empty}</p>}
      <ul className={styles.list} aria-label={title}>
        {items?.map((item) => children(item))}
      </ul>
      {list.hasMore && (
        <Button isPending={isLoading} onPress={list.more}>
          {text.more}
        </Button>
      )}
    </Panel>
  )
}

/** A list of names and values. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ReactNode])[]
}) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The reason why a request failed. */
export function Problem({ error }: { error: unknown }) {
  const text = useText()
  if (error === null) return null
  return (
    <p className={styles.problem} role="alert">
      {problemText(text, error)}
    </p>
  )
}
