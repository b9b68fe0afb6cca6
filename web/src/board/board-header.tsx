import type { BoardBody } from '@interview-room/contract/board.ts'
import { Badge } from '../design/badge.tsx'
import { CheckIcon, WarningIcon } from '../design/icons.tsx'
import { LanguageSwitch } from '../i18n/language.tsx'
import { AlarmNews } from './alarm-news.tsx'
import styles from './board-header.module.css'
import { useText } from './board-text.ts'
import type { Bell } from './use-bell.ts'

interface BoardHeaderProps {
  board: BoardBody | undefined
  /** The number of rooms with an alarm. */
  alarmed: number
  hasHelpCall: boolean
  isLive: boolean
  /** The board has been cut off for a while, so new alarms cannot arrive. */
  isDeaf: boolean
  bell: Bell
}

export function BoardHeader({
  board,
  alarmed,
  hasHelpCall,
  isLive,
  isDeaf,
  bell,
}: BoardHeaderProps) {
  const text = useText()
  return (
    <header className={styles.header}>
      <div className={styles.brand}>
        <h1>
          {text.productName} <span>{text.title}</span>
        </h1>
        {board !== undefined && <p>{text.signedInAs(board.operator.display_name)}</p>}
      </div>
      {board !== undefined && (
        <div className={styles.state}>
          {alarmed > 0 ? (
            <Badge tone={hasHelpCall ? 'danger' : 'warn'}>
              <WarningIcon />
              <span>{text.alarmCount(alarmed)}</span>
            </Badge>
          ) : (
            <Badge tone="good">
              <CheckIcon />
              <span>{text.noAlarm}</span>
            </Badge>
          )}
          <Badge tone={isLive ? 'calm' : 'warn'}>{isLive ? text.live : text.cut}</Badge>
        </div>
      )}
      <AlarmNews rooms={board?.rooms} isDeaf={isDeaf} bell={bell} />
      <LanguageSwitch />
    </header>
  )
}
