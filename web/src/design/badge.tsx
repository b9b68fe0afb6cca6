import type { ReactNode } from 'react'
import styles from './badge.module.css'

interface BadgeProps {
  tone?: 'calm' | 'good' | 'warn' | 'accent' | 'danger'
  children: ReactNode
}

export function Badge({ tone = 'calm', children }: BadgeProps) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>
}
