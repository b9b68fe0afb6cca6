import type { BoardRoom } from '@interview-room/contract/board.ts'
import { memo, type RefObject, useEffect, useRef, useState } from 'react'
import { useFocusKept } from '../design/use-focus-kept.ts'
import type { BoardConnection } from './board-connection.ts'
import { useText } from './board-text.ts'
import styles from './room-list.module.css'
import { RoomRow } from './room-row.tsx'

/** Above this number, only rows near the screen are drawn. The others are a line with the name of the room. */
const ALL_DRAWN_MAX = 100
/** Drawn before the browser says which rows are near. */
const FIRST_ROWS = 40
const NEAR = '400px 0px'

interface RoomListProps {
  board: BoardConnection
  /** The rooms in view, in their order. */
  rooms: readonly BoardRoom[]
}

export function RoomList({ board, rooms }: RoomListProps) {
  const text = useText()
  const place = useRef<HTMLUListElement>(null)
  const lastUsed = useRef<Element | null>(null)
  // The button that answers a call disappears with the call.
  useFocusKept(place, () => lastUsed.current?.querySelector('button') ?? null)
  return (
    <ul
      ref={place}
      className={styles.rooms}
      aria-label={text.rooms}
      onFocus={({ target }) => {
        lastUsed.current = target.closest('article')
      }}
    >
      {rooms.map((room, at) => (
        <RoomItem
          key={room.id}
          board={board}
          room={room}
          isAlwaysDrawn={rooms.length <= ALL_DRAWN_MAX}
          isFirst={at < FIRST_ROWS}
        />
      ))}
    </ul>
  )
}

interface RoomItemProps {
  board: BoardConnection
  room: BoardRoom
  isAlwaysDrawn: boolean
  isFirst: boolean
}

/** Memoised, because there may be a thousand rooms, and a change of one must not render the others again. */
const RoomItem = memo(function RoomItem({ board, room, isAlwaysDrawn, isFirst }: RoomItemProps) {
  const text = useText()
  const place = useRef<HTMLLIElement>(null)
  const isNear = useNear(place, isFirst)
  const [isOpen, setIsOpen] = useState(false)
  const [isUsed, setIsUsed] = useState(false)
  const isDrawn = isAlwaysDrawn || isNear || isOpen || isUsed
  return (
    <li ref={place} onFocus={() => setIsUsed(true)} onBlur={() => setIsUsed(false)}>
      {isDrawn ? (
        <RoomRow board={board} room={room} isOpen={isOpen} onToggle={setIsOpen} />
      ) : (
        (room.session.name ?? text.unnamed)
      )}
    </li>
  )
})

const watched = new WeakMap<Element, (isNear: boolean) => void>()
const watcher = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting)
  },
  { rootMargin: NEAR },
)

function useNear(place: RefObject<Element | null>, isFirst: boolean): boolean {
  const [isNear, setIsNear] = useState(isFirst)
  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    watched.set(element, setIsNear)
    watcher.observe(element)
    return () => watcher.unobserve(element)
  }, [place])
  return isNear
}
