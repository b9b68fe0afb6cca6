import { useCallback, useRef, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { usePeopleText } from '../../i18n/people-text.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import styles from './roster-panel.module.css'

/** The moderator's actions on everybody else. */
export function EveryoneActions() {
  const text = usePeopleText()
  const { request } = useLive()
  const hasHands = useLiveState((state) => state.roster.some((each) => each.has_hand_raised))
  const [said, setSaid] = useState('')
  const [isSending, setIsSending] = useState(false)
  const firstButton = useRef<HTMLButtonElement>(null)
  // When the last hand is lowered, its button disappears and would take the focus with it.
  const passFocusOn = useCallback((button: HTMLButtonElement) => {
    return () => {
      if (document.activeElement === button) firstButton.current?.focus()
    }
  }, [])

  async function act(what: () => Promise<string>): Promise<void> {
    setIsSending(true)
    setSaid(await what())
    setIsSending(false)
  }

  async function muteAll(): Promise<string> {
    const answer = await request<'muteEveryone'>('POST', '/mute-all')
    return answer.ok ? text.mutedAll(answer.data.identities.length) : text.failed
  }

  async function lowerHands(): Promise<string> {
    const answer = await request<'lowerAllHands'>('POST', '/lower-hands')
    return answer.ok ? text.lowered : text.failed
  }

  return (
    <div className={styles.everyone}>
      <Button
        ref={firstButton}
        size="small"
        isPending={isSending}
        onPress={() => void act(muteAll)}
      >
        {text.muteAll}
      </Button>
      {hasHands && (
        <Button
          ref={passFocusOn}
          size="small"
          isPending={isSending}
          onPress={() => void act(lowerHands)}
        >
          {text.lowerHands}
        </Button>
      )}
      <output>{said}</output>
    </div>
  )
}
