import type { BoardAlarm, BoardRoom } from '@interview-room/contract/board.ts'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import type { BoardDictionary } from '../i18n/board-ja.ts'
import type { BoardConnection } from './board-connection.ts'
import { useText } from './board-text.ts'
import styles from './room-alarms.module.css'
import { SeverityIcon } from './severity-icon.tsx'
import { severityOf } from './severity.ts'
import { useMinutes } from './use-minutes.ts'

interface RoomAlarmsProps {
  board: BoardConnection
  room: BoardRoom
}

interface AlarmsInRowProps extends RoomAlarmsProps {
  className: string | undefined
}

const keyOf = ({ code, since, display_name: name }: BoardAlarm) => `${code} ${since} ${name}`

/** The alarms of a room in one line: the most severe in words, the others as icons. */
export function AlarmsInRow({ board, room, className }: AlarmsInRowProps) {
  const text = useText()
  const [first] = room.alarms
  if (first === undefined) return null
  return (
    <div className={`${styles.inRow} ${className}`} data-severity={severityOf(first)}>
      <ul aria-label={text.alarms}>
        {room.alarms.map((alarm) => (
          <li key={keyOf(alarm)} title={wordsOf(text, alarm)}>
            {alarm !== first && <SeverityIcon severity={severityOf(alarm)} />}
            <span className={alarm === first ? styles.first : 'visually-hidden'}>
              {wordsOf(text, alarm)}
            </span>
            {alarm === first && <Since board={board} alarm={alarm} isShort />}
          </li>
        ))}
      </ul>
      {room.help_requests.length > 0 && <AnswerButton board={board} room={room} />}
    </div>
  )
}

function AnswerButton({ board, room }: RoomAlarmsProps) {
  const text = useText()
  const [state, setState] = useState<'idle' | 'sending' | 'failed'>('idle')
  const answer = async () => {
    setState('sending')
    const { ok } = await board.answerHelp(room.id)
    setState(ok ? 'idle' : 'failed')
  }
  return (
    <>
      <Button size="small" isPending={state === 'sending'} onPress={() => void answer()}>
        {text.answer}
      </Button>
      {state === 'failed' && <p role="alert">{text.failed}</p>}
    </>
  )
}

/** The alarms of a room, each with its start, and what people wrote when they called for help. */
export function RoomAlarms({ board, room }: RoomAlarmsProps) {
  const text = useText()
  if (room.alarms.length === 0) return null
  const notes = room.help_requests.filter(({ note }) => note !== null)
  return (
    <div className={styles.alarms}>
      <ul aria-label={text.alarms}>
        {room.alarms.map((alarm) => (
          <li key={keyOf(alarm)}>
            <SeverityIcon severity={severityOf(alarm)} />
            <span className={styles.words}>
              <strong>{wordsOf(text, alarm)}</strong>
              <Since board={board} alarm={alarm} />
            </span>
          </li>
        ))}
      </ul>
      {notes.map(({ display_name: name, note, requested_at: at }) => (
        <p key={`${at} ${name}`}>{text.helpNote(name, note ?? '')}</p>
      ))}
    </div>
  )
}

function wordsOf(text: BoardDictionary, { code, display_name: name }: BoardAlarm): string {
  return text.alarm[code](name ?? '')
}

interface SinceProps {
  board: BoardConnection
  alarm: BoardAlarm
  isShort?: boolean
}

function Since({ board, alarm, isShort = false }: SinceProps) {
  const text = useText()
  const minutes = text.minutes(Math.max(0, useMinutes(board, Date.parse(alarm.since))))
  return <span className={styles.since}>{isShort ? minutes : text.since(minutes)}</span>
}
