import type { ReactNode } from 'react'
import { WarningIcon } from './icons.tsx'
import styles from './notice.module.css'

interface NoticeProps {
  title: string
  children?: ReactNode
  action?: ReactNode
}

/** A problem that the person can do something about. */
export function Notice({ title, children, action }: NoticeProps) {
  return (
    <output className={styles.notice}>
      <WarningIcon />
      <div className={styles.words}>
        <strong>{title}</strong>
        {children !== undefined && <p>{children}</p>}
      </div>
      {action}
    </output>
  )
}
