import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { TooEarly } from '../connection/refusal.ts'
import { ClockIcon } from '../design/icons.tsx'
import { useLocale } from '../i18n/language.tsx'
import { useText } from '../i18n/text.ts'
import { countdownText, windowText, zoneText } from './countdown.ts'
import { keepAsking } from './keep-asking.ts'
import { MessagePage } from './message-page.tsx'
import styles from './waiting-page.module.css'

const TICK_MS = 500

interface WaitingPageProps {
  refusal: TooEarly
  children?: ReactNode
  /** Asks if the room is open. */
  onOpen: () => void
}

export function WaitingPage({ refusal, children, onOpen }: WaitingPageProps) {
  const text = useText().refusal['too-early']
  const locale = useLocale()
  const [leftMs, setLeftMs] = useState(() => refusal.opensAtLocalMs - Date.now())
  useEffect(() => {
    const timer = setInterval(() => setLeftMs(refusal.opensAtLocalMs - Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [refusal])

  const ask = useEffectEvent(onOpen)
  useEffect(
    () =>
      keepAsking({
        opensAtLocalMs: refusal.opensAtLocalMs,
        ask: () => ask(),
        random: Math.random(),
      }),
    [refusal],
  )

  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const { opensAt, closesAt } = refusal
  return (
    <MessagePage
      icon={<ClockIcon />}
      title={text.title}
      body={text.body(
        windowText({ opensAt, closesAt }, locale, timeZone),
        zoneText(opensAt, locale, timeZone),
      )}
    >
      <div className={styles.countdown} role="timer" aria-label={text.countdown}>
        <span>{text.countdown}</span>
        <strong>{countdownText(leftMs)}</strong>
      </div>
      {children}
      <p>{text.hint}</p>
    </MessagePage>
  )
}
