import type { Role } from '@interview-room/contract/vocabulary.ts'
import { useCallback } from 'react'
import { ConfirmButton } from '../../design/confirm-button.tsx'
import { Panel } from '../../design/panel.tsx'
import { useLocale } from '../../i18n/language.tsx'
import { slotText } from '../../i18n/times.ts'
import { Entries } from './entries.tsx'
import { Recordings } from './recordings/recordings.tsx'
import { RoleLink } from './role-link.tsx'
import styles from './room-view.module.css'
import { roomStatus, StatusBadge } from './status-badge.tsx'
import { useTenantApi } from './tenant-api.ts'
import { useText } from './text.ts'
import { usePolled } from './use-polled.ts'

interface RoomViewProps {
  roomId: string
  onChanged: () => void
}

const LINK_ORDER = [
  'moderator',
  'panelist',
  'observer',
  'platform_observer',
] as const satisfies readonly Role[]

/** One room: its links, the people who are and were inside, and the button that closes it. */
export function RoomView({ roomId, onChanged }: RoomViewProps) {
  const text = useText()
  const locale = useLocale()
  const tenant = useTenantApi()
  const { data, refresh } = usePolled(useCallback(() => tenant.room(roomId), [tenant, roomId]))
  const isOpen = data?.room.status !== 'closed'

  return (
    <Panel
      title={data?.session?.name ?? text.productName}
      aside={data !== undefined && <StatusBadge status={roomStatus(data.room)} />}
    >
      <div className={styles.facts}>
        <p>
          <strong>{data?.session ? slotText(data.session, locale) : '\u00a0'}</strong>
          <span>{text.room.opens}</span>
        </p>
        <ConfirmButton
          label={text.room.close}
          words={{
            title: text.room.closeTitle,
            body: text.room.closeBody,
            confirm: text.room.closeConfirm,
            pending: text.room.closing,
            cancel: text.room.cancel,
            failed: text.error.again,
          }}
          isDisabled={!isOpen}
          onConfirm={async () => {
            await tenant.close(roomId)
            refresh()
            onChanged()
          }}
        />
      </div>
      <section className={styles.links} aria-label={text.room.links}>
        <p className={styles.lead}>{isOpen ? text.room.linksLead : text.room.isClosed}</p>
        {LINK_ORDER.map((role) => (
          <RoleLink key={role} roomId={roomId} role={role} />
        ))}
      </section>
      <Recordings roomId={roomId} />
      <Entries entries={data?.entries ?? []} participants={data?.participants.length ?? 0} />
    </Panel>
  )
}
