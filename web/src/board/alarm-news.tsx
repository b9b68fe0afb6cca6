import type { BoardRoom } from '@interview-room/contract/board.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ToggleButton } from 'react-aria-components'
import { SpeakerIcon } from '../design/icons.tsx'
import styles from './alarm-news.module.css'
import { newAlarms } from './board-state.ts'
import { useText } from './board-text.ts'
import type { Bell } from './use-bell.ts'

interface AlarmNewsProps {
  rooms: readonly BoardRoom[] | undefined
  /** The board has been cut off for a while, so new alarms cannot arrive. */
  isDeaf: boolean
  bell: Bell
}

/**
 * Announces new alarms, and a board that is cut off, to people who are not watching: politely to screen readers, and
 * with a sound if it is turned on. Alarms that existed at the start are not announced.
 */
export function AlarmNews({ rooms, isDeaf, bell }: AlarmNewsProps) {
  const text = useText()
  const known = useRef(rooms)
  const [said, setSaid] = useState<{ words: string; number: number }>()
  const ring = useEffectEvent(() => bell.ring())

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
    setSaid((last) => ({ words: lines.join('\n'), number: (last?.number ?? 0) + 1 }))
    ring()
  }, [rooms, text])
  useEffect(() => {
    if (isDeaf) ring()
  }, [isDeaf])

  return (
    <>
      <output className="visually-hidden">
        {/* Another element each time: the same words a second time are read out, too. */}
        {said !== undefined && <span key={said.number}>{said.words}</span>}
        {isDeaf && <span>{text.cutTitle}</span>}
      </output>
      <ToggleButton
        className={styles.sound ?? ''}
        isSelected={bell.isOn}
        onChange={(isOn) => bell.turn(isOn)}
      >
        <SpeakerIcon />
        <span>{bell.isOn ? text.soundOn : text.soundOff}</span>
      </ToggleButton>
    </>
  )
}
