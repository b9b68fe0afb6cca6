import { DISPLAY_NAME_MAX } from '@interview-room/contract/limits.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import { useEffect, useState } from 'react'
import { Button } from '../../design/button.tsx'
import { copyText } from '../../design/copy-text.ts'
import { CopyIcon } from '../../design/icons.tsx'
import { localApi } from './local-api.ts'
import styles from './role-link.module.css'
import { externalIdOf } from './tenant-api.ts'
import { useText } from './text.ts'

const TYPING_PAUSE_MS = 400
const COPIED_MS = 2_000

interface RoleLinkProps {
  roomId: string
  role: Role
}

/** A link into the room for one role, with a name that can be changed. */
export function RoleLink({ roomId, role }: RoleLinkProps) {
  const text = useText()
  const [ownName, setOwnName] = useState<string>()
  const name = ownName ?? text.defaultNames[role]
  const url = useLink({ roomId, role, name })
  const label = text.roles[role]

  return (
    <div className={styles.row}>
      <p className={styles.role}>
        <strong>{label}</strong>
        <span>{text.roleHints[role]}</span>
      </p>
      <input
        className={styles.name}
        value={name}
        aria-label={text.room.nameOf(label)}
        maxLength={DISPLAY_NAME_MAX}
        onChange={(event) => setOwnName(event.target.value)}
      />
      <div className={styles.actions}>
        {url === undefined ? (
          <span className={styles.preparing} aria-disabled="true">
            {text.room.open}
          </span>
        ) : (
          <a
            className={styles.open}
            aria-label={text.room.openAs(label)}
            href={url}
            target="_blank"
            rel="noopener noreferrer"
          >
            {text.room.open}
          </a>
        )}
        <CopyButton url={url} />
      </div>
    </div>
  )
}

function CopyButton({ url }: { url: string | undefined }) {
  const text = useText().room
  const [said, setSaid] = useState<'copied' | 'notCopied' | null>(null)
  useEffect(() => {
    if (said === null) return undefined
    const timer = setTimeout(() => setSaid(null), COPIED_MS)
    return () => clearTimeout(timer)
  }, [said])

  return (
    <Button
      look="quiet"
      isDisabled={url === undefined}
      onPress={() => {
        if (url === undefined) return
        void copyText(url).then((isCopied) => setSaid(isCopied ? 'copied' : 'notCopied'))
      }}
    >
      <CopyIcon />
      <span aria-live="polite">{text[said ?? 'copy']}</span>
    </Button>
  )
}

/** Signs a new link for each name, after a pause in typing. */
function useLink({ roomId, role, name }: RoleLinkProps & { name: string }): string | undefined {
  const [signed, setSigned] = useState<{ name: string; url: string }>()
  useEffect(() => {
    if (name.trim() === '') return undefined
    let isOver = false
    const timer = setTimeout(
      () => {
        const person = { role, name: name.trim() }
        localApi.link(roomId, { ...person, external_id: externalIdOf(person) }).then(
          ({ url }) => isOver || setSigned({ name, url }),
          () => isOver || setSigned(undefined),
        )
      },
      signed === undefined ? 0 : TYPING_PAUSE_MS,
    )
    return () => {
      isOver = true
      clearTimeout(timer)
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `signed` is what this effect writes
  }, [roomId, role, name])
  return signed?.name === name ? signed.url : undefined
}
