import { useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { Button as TextButton } from '../../design/button.tsx'
import { CloseIcon } from '../../design/icons.tsx'
import { Redrawn } from '../../design/redrawn.tsx'
import { useFocusKept } from '../../design/use-focus-kept.ts'
import { useMedia } from '../../design/use-media.ts'
import { useChatText } from '../../i18n/chat-text.ts'
import { useToolsText } from '../../i18n/tools-text.ts'
import { listOf } from './next-focus.ts'
import type { SidePanel } from './panels.tsx'
import styles from './side-panels.module.css'

/** On narrower pages there is no space beside the pictures. */
const WIDE = '(min-width: 60rem)'
const COUNT_SHOWN_MAX = 99

/** From this width on there is space for two panels. */
const WIDER = '(min-width: 90rem)'

/**
 * The open panels, with the last opened one at the end. On entry none is open if it would cover the pictures. Two can
 * be open if there is space and the role needs both.
 */
export function useOpenPanels(first: string | null, { countMax }: { countMax: 1 | 2 }) {
  const isWider = useMedia(WIDER)
  const [wanted, setWanted] = useState<readonly string[]>(() =>
    first !== null && matchMedia(WIDE).matches ? [first] : [],
  )
  const openIds = wanted.slice(isWider ? -countMax : -1)
  const open = (id: string) => setWanted([...openIds.filter((each) => each !== id), id])
  const close = (id: string) => setWanted(openIds.filter((each) => each !== id))
  return {
    openIds,
    open,
    close,
    toggle: (id: string) => (openIds.includes(id) ? close(id) : open(id)),
  }
}

interface SidePanelsProps {
  panels: readonly SidePanel[]
  openIds: readonly string[]
  isScreenShared: boolean
  onClose: (id: string) => void
}

/** The open panels. The others stay mounted with their drafts. */
export function SidePanels({ panels, openIds, isScreenShared, onClose }: SidePanelsProps) {
  const text = useChatText()
  return (
    <aside
      className={styles.side}
      data-region
      tabIndex={-1}
      data-scheme="reader"
      hidden={openIds.length === 0}
      aria-label={text.panels}
    >
      {panels.map((panel) => (
        <PanelPlace
          key={panel.id}
          panel={panel}
          isOpen={openIds.includes(panel.id)}
          isCurtained={isScreenShared && panel.isForStaff}
          closeText={openIds.length > 1 ? text.closePanel(panel.label) : text.close}
          onClose={() => {
            // The button disappears with its panel, so the focus moves to the button that opened the panel.
            focusPanelButton(panel.id)
            onClose(panel.id)
          }}
        />
      ))}
    </aside>
  )
}

interface PanelPlaceProps {
  panel: SidePanel
  isOpen: boolean
  isCurtained: boolean
  closeText: string
  onClose: () => void
}

function PanelPlace({ panel, isOpen, isCurtained, closeText, onClose }: PanelPlaceProps) {
  const { id, content } = panel
  const place = useRef<HTMLDivElement>(null)
  useFocusKept(place, listOf)
  const [isRevealed, setIsRevealed] = useState(false)
  // The next time the screen is shared, the curtain is back.
  if (isRevealed && !isCurtained) setIsRevealed(false)
  const isHidden = isCurtained && !isRevealed
  return (
    <div ref={place} id={panelId(id)} className={styles.panel} hidden={!isOpen}>
      <div className={styles.content} inert={isHidden}>
        <Redrawn>{content(isOpen)}</Redrawn>
      </div>
      {isHidden && <Curtain onReveal={() => setIsRevealed(true)} />}
      <Button className={styles.close ?? ''} aria-label={closeText} onPress={onClose}>
        <CloseIcon />
      </Button>
    </div>
  )
}

/** Covers a panel while the screen is shared, because the respondent sees the screen. */
function Curtain({ onReveal }: { onReveal: () => void }) {
  const text = useToolsText().screen
  return (
    <div className={styles.curtain}>
      <strong>{text.curtain}</strong>
      <p>{text.curtainHint}</p>
      <TextButton onPress={onReveal}>{text.reveal}</TextButton>
    </div>
  )
}

export interface PanelChoice {
  panels: readonly SidePanel[]
  openIds: readonly string[]
  onToggle: (id: string) => void
}

interface PanelButtonsProps extends PanelChoice {
  /** A column beside the panels, or rows in the menu of a phone. */
  place: 'rail' | 'menu'
}

/** A button for each panel, with the number of unread items. */
export function PanelButtons({ panels, openIds, place, onToggle }: PanelButtonsProps) {
  const text = useChatText()
  return (
    <ul className={styles.buttons} data-place={place} aria-label={text.panels}>
      {panels.map(({ id, label, Icon, count, countText }) => (
        <li key={id}>
          <Button
            id={buttonId(id)}
            className={styles.button ?? ''}
            data-panel={id}
            data-open={openIds.includes(id)}
            aria-expanded={openIds.includes(id)}
            aria-controls={panelId(id)}
            onPress={() => onToggle(id)}
          >
            <Icon />
            <span className={styles.label}>{label}</span>
            <UnreadCount count={count} countText={countText} />
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** A number in the corner of a button. */
export function UnreadCount({ count, countText }: Pick<SidePanel, 'count' | 'countText'>) {
  const text = useChatText()
  if (count === 0) return null
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{count > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : count}</span>
      <span className="visually-hidden">{countText ?? text.unread(count)}</span>
    </span>
  )
}

/** Moves the focus to the button of a panel. */
export function focusPanelButton(id: string): void {
  document.getElementById(buttonId(id))?.focus()
}

function buttonId(id: string): string {
  return `open-panel-${id}`
}

function panelId(id: string): string {
  return `panel-${id}`
}
