import type { BoardRoom } from '@interview-room/contract/board.ts'
import { useId, useRef } from 'react'
import { Button } from 'react-aria-components'
import { ChevronIcon } from '../design/icons.tsx'
import { useFocusKept } from '../design/use-focus-kept.ts'
import { useLocale } from '../i18n/language.tsx'
import { timeSpanText } from '../i18n/times.ts'
import type { BoardConnection } from './board-connection.ts'
import { useText } from './board-text.ts'
import { PeopleInRow } from './people-in-row.tsx'
import { recordingWords } from './recording-words.ts'
import { RoomActions } from './room-actions.tsx'
import { AlarmsInRow } from './room-alarms.tsx'
import { RoomDetails } from './room-details.tsx'
import styles from './room-row.module.css'
import { SeverityIcon } from './severity-icon.tsx'
import { severityOfRoom } from './severity.ts'
import { useMinutes } from './use-minutes.ts'

interface RoomRowProps {
  board: BoardConnection
  room: BoardRoom
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}

/** One line about a room. Its details open below it. */
export function RoomRow({ board, room, isOpen, onToggle }: RoomRowProps) {
  const text = useText()
  const locale = useLocale()
  const id = useId()
  const detailsId = useId()
  const place = useRef<HTMLElement>(null)
  // The button that answers a call disappears with the call.
  useFocusKept(place, (row) => row.querySelector('button'))
  const { session, recording } = room
  const name = session.name ?? text.unnamed
  const severity = severityOfRoom(room)
  return (
    <article ref={place} className={styles.room} aria-labelledby={id} data-severity={severity}>
      <div className={styles.row}>
        <h2 className={styles.name} id={id}>
          <Button
            className={styles.toggle ?? ''}
            aria-expanded={isOpen}
            {...(isOpen && { 'aria-controls': detailsId })}
            onPress={() => onToggle(!isOpen)}
          >
            <ChevronIcon />
            {severity !== null && <SeverityIcon severity={severity} />}
            <bdi title={name}>{name}</bdi>
          </Button>
        </h2>
        <p className={styles.slot}>
          <span className={styles.times}>{timeSpanText(session, locale)}</span>
          <RoomClock board={board} session={session} />
        </p>
        <PeopleInRow people={room.people} className={styles.people} />
        <p className={styles.recording} data-status={recording.status}>
          {recordingWords(text, { recording, locale: null })}
        </p>
        <AlarmsInRow board={board} room={room} className={styles.alarms} />
        <RoomActions board={board} room={room} />
      </div>
      {isOpen && <RoomDetails id={detailsId} name={name} board={board} room={room} />}
    </article>
  )
}

interface RoomClockProps {
  board: BoardConnection
  session: BoardRoom['session']
}

function RoomClock({ board, session }: RoomClockProps) {
  const text = useText()
  const sinceStart = useMinutes(board, Date.parse(session.starts_at))
  const sinceEnd = useMinutes(board, Date.parse(session.ends_at))
  const words = () => {
    if (sinceStart < 0) return text.startsIn(text.minutes(-sinceStart))
    return sinceEnd < 0
      ? text.remaining(text.minutes(-sinceEnd))
      : text.over(text.minutes(sinceEnd))
  }
  return <span className={styles.clock}>{words()}</span>
}
