import type { ReactNode } from 'react'
import { Panel } from '../design/panel.tsx'
import { useConsole } from './console-context.ts'
import styles from './console.module.css'

interface ControlOnlyProps {
  title: string
  /** Shown instead of the section. */
  refusal: string
  children: ReactNode
}

/** A section that a key with only the scope `manage` cannot read. The 401 would sign the key out. */
export function ControlOnly({ title, refusal, children }: ControlOnlyProps) {
  const { key } = useConsole()
  if (key.scopes.includes('control')) return children
  return (
    <Panel title={title}>
      <p className={styles.lead}>{refusal}</p>
    </Panel>
  )
}
