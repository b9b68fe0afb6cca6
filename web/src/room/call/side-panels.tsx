import { useState } from 'react'
import { Button } from 'react-aria-components'
import { CloseIcon } from '../../design/icons.tsx'
import { useChatText } from '../../i18n/chat-text.ts'
import type { SidePanel } from './panels.tsx'
import styles from './side-panels.module.css'

/** Narrower than this there is no room beside the pictures. */
const WIDE = '(min-width: 60rem)'
const COUNT_SHOWN_MAX = 99

/** Which panel is open: none at first where it would cover the pictures. */
export function useOpenPanel(first: string | null) {
  const [openId, setOpenId] = useState(() => (matchMedia(WIDE).matches ? first : null))
  const toggle = (id: string) => setOpenId((open) => (open === id ? null : id))
  return { openId, toggle, close: () => setOpenId(null) }
}

interface SidePanelsProps {
  panels: readonly SidePanel[]
  openId: string | null
  onClose: () => void
}

/** The open panel; the others wait with what was written in them. */
export function SidePanels({ panels, openId, onClose }: SidePanelsProps) {
  const text = useChatText()
  return (
    <aside className={styles.side} hidden={openId === null} aria-label={text.panels}>
      {panels.map(({ id, content }) => (
        <div key={id} id={panelId(id)} className={styles.panel} hidden={id !== openId}>
          {content(id === openId)}
        </div>
      ))}
      <Button
        className={styles.close ?? ''}
        aria-label={text.close}
        onPress={() => {
          // The button goes away with the panel: its keyboard user goes on where it was opened.
          if (openId !== null) document.getElementById(buttonId(openId))?.focus()
          onClose()
        }}
      >
        <CloseIcon />
      </Button>
    </aside>
  )
}

interface PanelButtonsProps {
  panels: readonly SidePanel[]
  openId: string | null
  onToggle: (id: string) => void
}

/** A button for each panel, with what is unread in it. */
export function PanelButtons({ panels, openId, onToggle }: PanelButtonsProps) {
  const text = useChatText()
  return (
    <ul className={styles.buttons} aria-label={text.panels}>
      {panels.map(({ id, label, Icon, count }) => (
        <li key={id}>
          <Button
            id={buttonId(id)}
            className={styles.button ?? ''}
            data-panel={id}
            data-open={id === openId}
            aria-expanded={id === openId}
            aria-controls={panelId(id)}
            onPress={() => onToggle(id)}
          >
            <Icon />
            <span className={styles.label}>{label}</span>
            {count > 0 && (
              <span className={styles.count}>
                <span aria-hidden="true">
                  {count > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : count}
                </span>
                <span className="visually-hidden">{text.unread(count)}</span>
              </span>
            )}
          </Button>
        </li>
      ))}
    </ul>
  )
}

function buttonId(id: string): string {
  return `open-panel-${id}`
}

function panelId(id: string): string {
  return `panel-${id}`
}
