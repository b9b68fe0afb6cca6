import type { BoardRoom } from '@interview-room/contract/board.ts'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { ScreenIcon } from '../design/icons.tsx'
import type { BoardConnection } from './board-connection.ts'
import { useText } from './board-text.ts'
import styles from './room-actions.module.css'

interface RoomActionsProps {
  board: BoardConnection
  room: BoardRoom
}

export function RoomActions({ board, room }: RoomActionsProps) {
  const text = useText()
  const [problem, setProblem] = useState<string>()
  const name = room.session.name ?? text.unnamed
  const open = async () => {
    setProblem(undefined)
    // Open the tab before the request. A browser blocks one opened after it as a pop-up.
    const tab = globalThis.open('', '_blank')
    const entry = await board.issueEntryToken(room.id)
    if (entry.ok && tab !== null) {
      tab.opener = null
      tab.location.replace(entry.data.connect_url)
      return
    }
    tab?.close()
    setProblem(!entry.ok && entry.code === 'NOT_FOUND' ? text.isGone : text.failed)
  }
  return (
    <>
      <div className={styles.actions}>
        <Button
          size="small"
          look={room.help_requests.length > 0 ? 'primary' : 'plain'}
          aria-label={text.openNamed(name)}
          onPress={() => void open()}
        >
          {text.open}
        </Button>
        {room.provider_inspector_url !== null && (
          <a
            className={styles.inspector}
            href={room.provider_inspector_url}
            target="_blank"
            rel="noreferrer"
            title={text.inspector}
          >
            <ScreenIcon />
            <span className="visually-hidden">{text.inspector}</span>
          </a>
        )}
      </div>
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
