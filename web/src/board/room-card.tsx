import type { BoardRoom } from '@interview-room/contract/board.ts'
import type { Locale } from '@interview-room/contract/vocabulary.ts'
import { useId } from 'react'
import { type BoardDictionary } from '../i18n/board-ja.ts'
import { useLocale } from '../i18n/language.tsx'
import { durationText, momentText, slotText } from '../i18n/times.ts'
import type { BoardConnection } from './board-connection.ts'
import { useText } from './board-text.ts'
import { People } from './people.tsx'
import { RoomActions } from './room-actions.tsx'
import { RoomAlarms } from './room-alarms.tsx'
import styles from './room-card.module.css'

interface RoomCardProps {
  board: BoardConnection
  room: BoardRoom
  /** The current time on the service's clock. */
  nowMs: number
}

export function RoomCard({ board, room, nowMs }: RoomCardProps) {
  const text = useText()
  const locale = useLocale()
  const id = useId()
  const { session } = room
  return (
    <article className={styles.card} aria-labelledby={id} data-alarmed={room.alarms.length > 0}>
      <header className={styles.header}>
        <h2 id={id}>
          <bdi>{session.name ?? text.unnamed}</bdi>
        </h2>
        <p className={styles.slot}>
          <span>{slotText(session, locale)}</span>
          <span>{clockWords(text, session, nowMs)}</span>
        </p>
      </header>
      <RoomAlarms board={board} room={room} nowMs={nowMs} />
      <People people={room.people} />
      <dl className={styles.facts}>
        <div>
          <dt>{text.recording.label}</dt>
          <dd data-status={room.recording.status ?? 'none'}>
            {recordingWords(text, { recording: room.recording, locale })}
          </dd>
        </div>
        <div>
          <dt>{text.presentation}</dt>
          <dd>{room.presentation?.file_name ?? text.noPresentation}</dd>
        </div>
      </dl>
      <RoomActions board={board} room={room} />
    </article>
  )
}

function clockWords(
  text: BoardDictionary,
  { starts_at, ends_at }: BoardRoom['session'],
  nowMs: number,
): string {
  const [startMs, endMs] = [Date.parse(starts_at), Date.parse(ends_at)]
  if (nowMs < startMs) return text.startsIn(between(nowMs, startMs))
  if (nowMs >= endMs) return text.over(between(endMs, nowMs))
  return text.running(between(startMs, nowMs), between(nowMs, endMs))
}

function between(fromMs: number, toMs: number): string {
  return durationText(Math.floor((toMs - fromMs) / 1000))
}

function recordingWords(
  text: BoardDictionary,
  { recording, locale }: { recording: BoardRoom['recording']; locale: Locale },
): string {
  const { archive_mode, status, composed_percent, missing_sec } = recording
  const isMaking = typeof composed_percent === 'number'
  const at = recording.estimated_available_at ?? null
  const ready = at === null ? '' : text.recording.ready(momentText(at, locale))
  if (isMaking) return text.recording.composed(composed_percent) + ready
  if (status !== null && typeof missing_sec === 'number') {
    return text.recording.incomplete(durationText(Math.ceil(missing_sec)))
  }
  if (status !== null) return text.recording[status] + ready
  return archive_mode === 'always' ? text.recording.notYet : text.recording.byHand
}
