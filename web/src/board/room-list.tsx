import type { BoardRoom } from '@interview-room/contract/board.ts'
import { memo, type RefObject, useEffect, useRef, useState } from 'react'
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
  return (
    <ul className={styles.rooms} aria-label={text.rooms}>
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
  const hasFocus = useFocusWithin(place)
  const [isOpen, setIsOpen] = useState(false)
  const isDrawn = isAlwaysDrawn || isNear || hasFocus || isOpen
  return (
    <li ref={place}>
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

function useFocusWithin(place: RefObject<Element | null>): boolean {
  const [hasFocus, setHasFocus] = useState(false)
  useEffect(() => {
    const away = new AbortController()
    const { signal } = away
    place.current?.addEventListener('focusin', () => setHasFocus(true), { signal })
    place.current?.addEventListener('focusout', () => setHasFocus(false), { signal })
    return () => away.abort()
  }, [place])
  return hasFocus
}
