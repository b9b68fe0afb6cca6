import type { BoardRoom } from '@interview-room/contract/board.ts'
import { useLocale } from '../i18n/language.tsx'
import { slotText } from '../i18n/times.ts'
import type { BoardConnection } from './board-connection.ts'
import { useText } from './board-text.ts'
import { People } from './people.tsx'
import { recordingWords } from './recording-words.ts'
import { RoomAlarms } from './room-alarms.tsx'
import styles from './room-details.module.css'

interface RoomDetailsProps {
  id: string
  name: string
  board: BoardConnection
  room: BoardRoom
}

/** Everything about a room. */
export function RoomDetails({ id, name, board, room }: RoomDetailsProps) {
  const text = useText()
  const locale = useLocale()
  const { session, recording, presentation } = room
  return (
    <section className={styles.details} id={id} aria-label={text.details(name)}>
      <RoomAlarms board={board} room={room} />
      <People people={room.people} />
      <dl className={styles.facts}>
        <div>
          <dt>{text.slot}</dt>
          <dd>{slotText(session, locale)}</dd>
        </div>
        <div>
          <dt>{text.recording.label}</dt>
          <dd>{recordingWords(text, { recording, locale })}</dd>
        </div>
        <div>
          <dt>{text.presentation}</dt>
          <dd>{presentation?.file_name ?? text.noPresentation}</dd>
        </div>
        {room.provider_inspector_url !== null && (
          <div>
            <dt>{text.provider}</dt>
            <dd>
              <a href={room.provider_inspector_url} target="_blank" rel="noreferrer">
                {text.inspector}
              </a>
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}
