import { useEffect, useState } from 'react'
import { Badge } from '../design/badge.tsx'
import { Notice } from '../design/notice.tsx'
import { Panel } from '../design/panel.tsx'
import { useLocale } from '../i18n/language.tsx'
import { momentText } from '../i18n/times.ts'
import type { ConsoleApi } from './console-api.ts'
import { useConsole } from './console-context.ts'
import { problemText, useText } from './console-text.ts'
import styles from './console.module.css'
import { ControlOnly } from './control-only.tsx'
import { beginFeed, continueFeed, type EventFeed } from './follow-events.ts'

const EVERY_MS = 3_000

/** The event feed. It updates while it is open. */
export function Events() {
  const text = useText().events
  return (
    <ControlOnly title={text.title} refusal={text.needsControl}>
      <LiveEvents />
    </ControlOnly>
  )
}

function LiveEvents() {
  const { api } = useConsole()
  const words = useText()
  const text = words.events
  const locale = useLocale()
  const { feed, error } = useFeed(api)
  return (
    <Panel
      title={text.title}
      aside={
        <Badge tone={error === null ? 'good' : 'warn'}>
          {error === null ? text.isLive : text.isWaiting}
        </Badge>
      }
    >
      {error !== null && <Notice title={words.listFailed}>{problemText(words, error)}</Notice>}
      {feed === undefined && error === null && (
        <output className={styles.lead}>{words.loading}</output>
      )}
      {feed !== undefined && (
        <p className={styles.lead}>{feed.events.length === 0 ? text.empty : text.lead}</p>
      )}
      <ul
        className={styles.list}
        aria-label={text.title}
        aria-live="polite"
        aria-relevant="additions"
      >
        {feed?.events.map((event) => (
          <li key={event.id}>
            <details className={styles.details}>
              <summary>
                <time dateTime={event.occurred_at}>{momentText(event.occurred_at, locale)}</time>
                <code>{event.type}</code>
              </summary>
              <pre className={styles.code}>{JSON.stringify(event, null, 2)}</pre>
            </details>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Polls while the page is visible, also after a failure. */
function useFeed(api: ConsoleApi): { feed: EventFeed | undefined; error: unknown } {
  const [feed, setFeed] = useState<EventFeed>()
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    let known: EventFeed | undefined

    async function readOn(): Promise<void> {
      if (document.visibilityState === 'visible') {
        try {
          known ??= await beginFeed(api)
          known = await continueFeed(api, known)
          if (isOver) return
          setFeed(known)
          setError(null)
        } catch (failure) {
          if (!isOver) setError(failure)
        }
      }
      if (!isOver) timer = setTimeout(() => void readOn(), known?.hasMore === true ? 0 : EVERY_MS)
    }
    void readOn()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [api])
  return { feed, error }
}
