import type { BoardRoom } from '@interview-room/contract/board.ts'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { HelpIcon, WarningIcon } from '../design/icons.tsx'
import { durationText } from '../i18n/times.ts'
import type { BoardConnection } from './board-connection.ts'
import { useText } from './board-text.ts'
import styles from './room-alarms.module.css'

interface RoomAlarmsProps {
  board: BoardConnection
  room: BoardRoom
  nowMs: number
}

/** The alarms of a room, each with its start. */
export function RoomAlarms({ board, room, nowMs }: RoomAlarmsProps) {
  const text = useText()
  if (room.alarms.length === 0) return null
  return (
    <div className={styles.alarms}>
      <ul aria-label={text.alarms}>
        {room.alarms.map(({ code, since, display_name: name }) => (
          <li key={`${code} ${since} ${name}`}>
            {code === 'HELP_REQUESTED' ? <HelpIcon /> : <WarningIcon />}
            <span className={styles.words}>
              <strong>{text.alarm[code](name ?? '')}</strong>
              <span className={styles.since}>{text.since(elapsed(since, nowMs))}</span>
            </span>
          </li>
        ))}
      </ul>
      {room.help_requests.length > 0 && <AnswerButton board={board} room={room} />}
    </div>
  )
}

function AnswerButton({ board, room }: Pick<RoomAlarmsProps, 'board' | 'room'>) {
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
        {state === 'sending' ? text.answering : text.answer}
      </Button>
      {state === 'failed' && <p role="alert">{text.failed}</p>}
    </>
  )
}

function elapsed(since: string, nowMs: number): string {
  return durationText(Math.max(0, Math.floor((nowMs - Date.parse(since)) / 1000)))
}
