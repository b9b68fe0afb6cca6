import { type ReactNode, useEffect, useState } from 'react'
import type { TooEarly } from '../connection/refusal.ts'
import { ClockIcon } from '../design/icons.tsx'
import { useLocale } from '../i18n/language.tsx'
import { useText } from '../i18n/text.ts'
import { countdownText, windowText, zoneText } from './countdown.ts'
import { MessagePage } from './message-page.tsx'
import styles from './waiting-page.module.css'

const TICK_MS = 500
/** A clock that runs a little fast must not ask too early. */
const ASK_AFTER_MS = 750
/** The slot may move while somebody waits, so the page asks now and then. */
const ASK_EVERY_MS = 60_000

interface WaitingPageProps {
  refusal: TooEarly
  children?: ReactNode
  /** Asks whether the room is open. */
  onOpen: () => void
}

export function WaitingPage({ refusal, children, onOpen }: WaitingPageProps) {
  const text = useText().refusal['too-early']
  const locale = useLocale()
  const [leftMs, setLeftMs] = useState(refusal.opensAtLocalMs - Date.now())
  useEffect(() => {
    const timer = setInterval(() => setLeftMs(refusal.opensAtLocalMs - Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [refusal])

  const isOpen = leftMs < -ASK_AFTER_MS
  useEffect(() => {
    if (isOpen) onOpen()
    // Once per opening: a new refusal brings a new page.
    // oxlint-disable-next-line react/exhaustive-deps -- onOpen is new with every drawing
  }, [isOpen])

  useEffect(() => {
    const timer = setTimeout(onOpen, ASK_EVERY_MS)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- onOpen is new with every drawing
  }, [refusal])

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
