import type { Person } from '@interview-room/contract/live-stream.ts'
import { type ReactNode, useState } from 'react'
import { Button as AriaButton, Menu, MenuItem, MenuTrigger } from 'react-aria-components'
import type { CallFacts } from '../../connection/call-state.ts'
import { MoreIcon } from '../../design/icons.tsx'
import { usePeopleText } from '../../i18n/people-text.ts'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import type { PersonDialog } from './person-dialogs.tsx'
import { RoomPopover } from './room-popover.tsx'
import styles from './tools.module.css'
import { useRequest } from './use-request.ts'

interface PersonActionsProps {
  person: Person
  capabilities: CallFacts['capabilities']
  onOpenDialog: (dialog: PersonDialog) => void
}

/** The actions on a person in the roster. On oneself there is only the spotlight. */
export function PersonActions({ person, capabilities, onOpenDialog }: PersonActionsProps) {
  const text = useToolsText().person
  const words = usePeopleText()
  const { store } = useLive()
  const isInSpotlight = useLiveState((state) => state.spotlight === person.identity)
  const { status, post } = useRequest()
  const [wasAsked, setWasAsked] = useState(false)
  const { identity, display_name: name, role } = person
  const isMe = store.isMine({ id: '', participant_id: person.participant_id })
  const isSeen = role === 'moderator' || role === 'panelist'
  const canDirect = capabilities.canModerate && isSeen
  const canBan = capabilities.canBan && !isMe
  if (!canDirect && !canBan) return null

  async function askToMute(): Promise<void> {
    setWasAsked(false)
    setWasAsked(await post<'muteParticipant'>(`/participants/${encodeURIComponent(identity)}/mute`))
  }

  function toggleSpotlight(): void {
    setWasAsked(false)
    if (isInSpotlight) void post<'endSpotlight'>('/spotlight/end')
    else
      void post<'spotlightParticipant'>(`/participants/${encodeURIComponent(identity)}/spotlight`)
  }

  const acts = {
    isInSpotlight,
    onMute: () => void askToMute(),
    onSpotlight: toggleSpotlight,
    onScreen: () =>
      person.may_share_screen === true
        ? void post<'withdrawScreenShare'>(
            `/participants/${encodeURIComponent(identity)}/screen/withdraw`,
          )
        : void post<'allowScreenShare'>(
            `/participants/${encodeURIComponent(identity)}/screen/allow`,
          ),
    onLowerHand: () =>
      void post<'lowerHand'>(`/participants/${encodeURIComponent(identity)}/lower-hand`),
    onOpen: onOpenDialog,
  }
  return (
    <>
      <PersonMenu person={person} can={{ direct: canDirect, ban: canBan }} isMe={isMe} {...acts} />
      <output className="visually-hidden">{wasAsked ? text.muteAsked(name) : ''}</output>
      {status === 'failed' && (
        <span className={styles.failed} role="alert">
          {words.failed}
        </span>
      )}
    </>
  )
}

interface PersonMenuProps {
  person: Person
  can: { direct: boolean; ban: boolean }
  isMe: boolean
  isInSpotlight: boolean
  onMute: () => void
  onSpotlight: () => void
  onLowerHand: () => void
  onScreen: () => void
  onOpen: (dialog: PersonDialog) => void
}

function PersonMenu({ person, can, isMe, isInSpotlight, ...on }: PersonMenuProps) {
  const text = useToolsText().person
  const words = usePeopleText()
  return (
    <MenuTrigger>
      <AriaButton
        ref={passFocusOn}
        className={styles.dots ?? ''}
        aria-label={text.actions(person.display_name)}
      >
        <MoreIcon />
      </AriaButton>
      <RoomPopover placement="bottom end">
        <Menu className={styles.menu ?? ''}>
          {can.direct && !isMe && <Item onAction={on.onMute}>{text.mute}</Item>}
          {can.direct && person.has_hand_raised && (
            <Item onAction={on.onLowerHand}>{words.lowerHand}</Item>
          )}
          {can.direct && (
            <Item onAction={on.onSpotlight}>
              {isInSpotlight ? words.endSpotlight : words.spotlight}
            </Item>
          )}
          {can.direct && person.role === 'panelist' && (
            <Item onAction={on.onScreen}>
              {person.may_share_screen === true ? words.withdrawScreen : words.allowScreen}
            </Item>
          )}
          {can.ban && (
            <Item isDangerous onAction={() => on.onOpen('remove')}>
              {words.remove}
            </Item>
          )}
          {can.ban && (
            <Item isDangerous onAction={() => on.onOpen('ban')}>
              {text.ban}
            </Item>
          )}
        </Menu>
      </RoomPopover>
    </MenuTrigger>
  )
}

/** When the person leaves, the button disappears and the focus would be lost with it. */
function passFocusOn(button: HTMLButtonElement): () => void {
  const list = button.closest('section')
  return () => {
    if (document.activeElement === button) list?.focus()
  }
}

interface ItemProps {
  isDangerous?: boolean
  onAction: () => void
  children: ReactNode
}

function Item({ isDangerous = false, onAction, children }: ItemProps) {
  return (
    <MenuItem
      className={styles.item ?? ''}
      {...(isDangerous && { 'data-danger': true })}
      onAction={onAction}
    >
      {children}
    </MenuItem>
  )
}
