import type { RoomOverviewBody } from '@interview-room/contract/rooms.ts'
import { Panel } from '../../design/panel.tsx'
import { useLocale } from '../../i18n/language.tsx'
import { slotText } from '../../i18n/times.ts'
import styles from './room-list.module.css'
import { roomStatus, StatusBadge } from './status-badge.tsx'
import { useText } from './text.ts'

interface RoomListProps {
  rooms: readonly RoomOverviewBody[] | undefined
  shownId: string | undefined
  onChoose: (id: string) => void
}

export function RoomList({ rooms, shownId, onChoose }: RoomListProps) {
  const text = useText()
  const locale = useLocale()
  return (
    <Panel title={text.rooms.title}>
      {rooms?.length === 0 && <p className={styles.empty}>{text.rooms.empty}</p>}
      <ul className={styles.list}>
        {rooms?.map((room) => (
          <li key={room.id}>
            <button
              type="button"
              className={styles.row}
              aria-current={room.id === shownId}
              onClick={() => onChoose(room.id)}
            >
              <span className={styles.when}>
                <span>{slotText(room.session, locale)}</span>
                <small>{room.session.name ?? room.id}</small>
              </span>
              <StatusBadge status={roomStatus(room)} />
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
