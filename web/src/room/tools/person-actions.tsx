import type { Person } from '@interview-room/contract/live-stream.ts'
import { useState } from 'react'
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { CallFacts } from '../../connection/call-state.ts'
import { MoreIcon } from '../../design/icons.tsx'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useLive } from '../../live/use-live.tsx'
import { BanDialog } from './ban-dialog.tsx'
import styles from './tools.module.css'
import { useRequest } from './use-request.ts'

interface PersonActionsProps {
  person: Person
  capabilities: CallFacts['capabilities']
}

/** What may be done about somebody in the roster; nothing for oneself. */
export function PersonActions({ person, capabilities }: PersonActionsProps) {
  const text = useToolsText().person
  const { store } = useLive()
  const { status, post } = useRequest()
  const [isBanning, setIsBanning] = useState(false)
  const [wasAsked, setWasAsked] = useState(false)
  const { participant_id: participantId, identity, display_name: name, role } = person
  if (store.isMine({ id: '', participant_id: participantId })) return null

  const isHeard = role === 'moderator' || role === 'panelist'
  const canMute = capabilities.canModerate && isHeard
  if (!canMute && !capabilities.canBan) return null

  async function askToMute(id: string): Promise<void> {
    setWasAsked(false)
    setWasAsked(await post<'muteParticipant'>(`/participants/${id}/mute`))
  }

  return (
    <>
      <MenuTrigger>
        <AriaButton className={styles.dots ?? ''} aria-label={text.actions(name)}>
          <MoreIcon />
        </AriaButton>
        <Popover className={styles.popover ?? ''} placement="bottom end">
          <Menu className={styles.menu ?? ''}>
            {canMute && (
              <MenuItem className={styles.item ?? ''} onAction={() => void askToMute(identity)}>
                {text.mute}
              </MenuItem>
            )}
            {capabilities.canBan && (
              <MenuItem
                className={styles.item ?? ''}
                data-danger
                onAction={() => setIsBanning(true)}
              >
                {text.ban}
              </MenuItem>
            )}
          </Menu>
        </Popover>
      </MenuTrigger>
      <output className="visually-hidden">{wasAsked ? text.muteAsked(name) : ''}</output>
      {status === 'failed' && (
        <span className={styles.failed} role="alert">
          {text.muteFailed}
        </span>
      )}
      <BanDialog person={{ identity, name }} isOpen={isBanning} onOpenChange={setIsBanning} />
    </>
  )
}
