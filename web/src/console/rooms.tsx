import type { RoomOverviewBody } from '@interview-room/contract/rooms.ts'
import { useCallback, useState } from 'react'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { useLocale } from '../i18n/language.tsx'
import { momentText, slotText } from '../i18n/times.ts'
import { useAction } from '../pages/use-action.ts'
import { useConsole } from './console-context.ts'
import { problemText, useText } from './console-text.ts'
import styles from './console.module.css'
import { ControlOnly } from './control-only.tsx'
import { dayOf, periodOfDay } from './day.ts'
import { Facts, ListPanel } from './list-panel.tsx'
import { openReview } from './open-review.ts'
import { useList } from './use-list.ts'

const TONES = { scheduled: 'calm', active: 'good', closed: 'calm', cancelled: 'warn' } as const

/** The rooms of a day in their current state. */
export function Rooms() {
  const text = useText().rooms
  return (
    <ControlOnly title={text.title} refusal={text.needsControl}>
      <RoomsOfDay />
    </ControlOnly>
  )
}

function RoomsOfDay() {
  const { api } = useConsole()
  const text = useText().rooms
  const [day, setDay] = useState(() => dayOf(new Date()))
  const load = useCallback(
    (cursor?: string) =>
      api<'listRooms'>('GET', '/rooms', {
        query: { ...periodOfDay(day), ...(cursor !== undefined && { cursor }) },
      }),
    [api, day],
  )
  const list = useList<RoomOverviewBody>(load)
  const filters = (
    <div className={styles.form}>
      <label>
        {text.day}
        <input
          type="date"
          required
          value={day}
          onChange={({ target }) => target.value !== '' && setDay(target.value)}
        />
      </label>
    </div>
  )
  return (
    <ListPanel title={text.title} empty={text.empty} list={list} filters={filters}>
      {(room) => <RoomRow key={room.id} room={room} />}
    </ListPanel>
  )
}

function RoomRow({ room }: { room: RoomOverviewBody }) {
  const text = useText().rooms
  const locale = useLocale()
  const { session } = room
  const reference = `${session.external_type} ${session.external_id}`
  return (
    <li>
      <details className={styles.details}>
        <summary>
          <time dateTime={session.starts_at}>{slotText(session, locale)}</time>
          <span>{session.name ?? reference}</span>
          <span>{text.present(room.people_present)}</span>
          <Badge tone={TONES[session.status]}>{text.status[session.status]}</Badge>
        </summary>
        <div className={styles.detail}>
          <Facts
            facts={[
              [text.roomId, <code key="id">{room.id}</code>],
              [text.reference, reference],
              [text.address, <code key="address">{room.connect_url}</code>],
              [text.entries, room.entries],
              [text.recording, <code key="recording">{room.recording_status ?? '–'}</code>],
              [text.booked, momentText(room.created_at, locale)],
            ]}
          />
          {room.recording_status !== null && <ReviewButton roomId={room.id} />}
        </div>
      </details>
    </li>
  )
}

/** Opens the review room in a tab of its own. */
function ReviewButton({ roomId }: { roomId: string }) {
  const { api } = useConsole()
  const text = useText()
  const { isBusy, error, run } = useAction()
  return (
    <>
      <Button
        isPending={isBusy}
        onPress={() => void run(() => openReview(api, { room_id: roomId }))}
      >
        {text.rooms.review}
      </Button>
      {error !== null && <p role="alert">{problemText(text, error)}</p>}
    </>
  )
}
