import type { BoardRoom } from '@interview-room/contract/board.ts'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { ExitIcon } from '../design/icons.tsx'
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
  const open = async () => {
    setProblem(undefined)
    // Open the tab before the request. A browser blocks one opened after it as a pop-up.
    const tab = globalThis.open('', '_blank')
    const answer = await board.issueEntryToken(room.id)
    if (answer.ok && tab !== null) {
      tab.opener = null
      tab.location.replace(answer.data.connect_url)
      return
    }
    tab?.close()
    setProblem(!answer.ok && answer.code === 'NOT_FOUND' ? text.isGone : text.failed)
  }
  return (
    <footer className={styles.actions}>
      <Button
        look="primary"
        aria-label={text.openNamed(room.session.name ?? text.unnamed)}
        onPress={() => void open()}
      >
        <ExitIcon />
        {text.open}
      </Button>
      {room.provider_inspector_url !== null && (
        <a href={room.provider_inspector_url} target="_blank" rel="noreferrer">
          {text.inspector}
        </a>
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
    </footer>
  )
}
