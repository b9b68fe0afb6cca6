import type { BoardRoom } from '@interview-room/contract/board.ts'
import { useEffect, useRef, useState } from 'react'
import { ToggleButton } from 'react-aria-components'
import { SpeakerIcon } from '../design/icons.tsx'
import { playOnce } from '../devices/play.ts'
import { chime } from '../devices/tone.ts'
import styles from './alarm-news.module.css'
import { newAlarms } from './board-state.ts'
import { useText } from './board-text.ts'

/**
 * Announces new alarms to people who are not watching: politely to screen readers, and with a sound where it
 * is turned on. What was there at the start is no news.
 */
export function AlarmNews({ rooms }: { rooms: readonly BoardRoom[] | undefined }) {
  const text = useText()
  const known = useRef(rooms)
  const [said, setSaid] = useState('')
  const [hasSound, setHasSound] = useState(false)

  useEffect(() => {
    const before = known.current
    known.current = rooms
    if (before === undefined || rooms === undefined) return
    const news = newAlarms(before, rooms)
    if (news.length === 0) return
    const lines = news.map(({ room, alarm }) =>
      text.announce(
        room.session.name ?? text.unnamed,
        text.alarm[alarm.code](alarm.display_name ?? ''),
      ),
    )
    setSaid(lines.join('\n'))
    if (hasSound) ring()
  }, [rooms, text, hasSound])

  return (
    <>
      <output className="visually-hidden">{said}</output>
      <ToggleButton
        className={styles.sound ?? ''}
        isSelected={hasSound}
        onChange={(isOn) => {
          setHasSound(isOn)
          // Heard once, so that it is known, and so that the browser plays the next ones.
          if (isOn) ring()
        }}
      >
        <SpeakerIcon />
        {hasSound ? text.soundOn : text.soundOff}
      </ToggleButton>
    </>
  )
}

function ring(): void {
  // A browser that plays nothing has the alarm on its page all the same.
  void playOnce(chime()).catch(() => {})
}
