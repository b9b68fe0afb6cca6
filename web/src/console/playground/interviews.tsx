import { useRef } from 'react'
import { BookForm } from './book-form.tsx'
import { ConnectionTests } from './connection-tests/connection-tests.tsx'
import { usePlayground } from './playground-context.ts'
import styles from './playground.module.css'
import { RoomList } from './room-list.tsx'
import { RoomView } from './room-view.tsx'
import { SampleInterview } from './sample-interview.tsx'
import { useTenantApi } from './tenant-api.ts'
import { useText } from './text.ts'
import { usePolled } from './use-polled.ts'
import { WebhookLog } from './webhook-log.tsx'

/** A section that only a local installation has. It books, enters and watches interviews. */
export function Interviews() {
  const text = useText()
  const tenant = useTenantApi()
  const { chosenRoomId, chooseRoom } = usePlayground()
  const { data: rooms, refresh } = usePolled(tenant.rooms)
  const shownId = chosenRoomId ?? rooms?.[0]?.id
  const middle = useRef<HTMLDivElement>(null)

  function choose(id: string): void {
    chooseRoom(id)
    // Waits until the room is rendered. Before that, the page may be too short to scroll.
    requestAnimationFrame(() => middle.current !== null && bringIntoView(middle.current))
  }

  return (
    <div className={styles.columns}>
      <div className={styles.side}>
        <SampleInterview onMade={refresh} />
        <BookForm
          onBooked={(room) => {
            choose(room.id)
            refresh()
          }}
        />
        <RoomList rooms={rooms} shownId={shownId} onChoose={choose} />
        <ConnectionTests />
      </div>
      <div className={styles.middle} ref={middle}>
        {shownId === undefined && rooms !== undefined && (
          <p className={styles.nothing}>{text.room.select}</p>
        )}
        {shownId !== undefined && <RoomView key={shownId} roomId={shownId} onChanged={refresh} />}
        {rooms !== undefined && <WebhookLog />}
      </div>
    </div>
  )
}

/** On a phone the room is far below the list in which it is chosen. */
function bringIntoView(part: HTMLElement): void {
  if (part.getBoundingClientRect().top > innerHeight / 2) part.scrollIntoView({ block: 'start' })
}
