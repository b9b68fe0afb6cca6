import { type ReactNode, useRef } from 'react'
import { PageShell } from '../design/page-shell.tsx'
import { headingOfPage, useFocusKept } from '../design/use-focus-kept.ts'
import { useFocusOnArrival } from '../design/use-focus-on-arrival.ts'
import { useText } from '../i18n/text.ts'
import styles from './frame.module.css'

interface FrameProps {
  title: string
  lead: string
  children: ReactNode
}

/** A step of the test with a heading, a sentence about it, and its content. */
export function Frame({ title, lead, children }: FrameProps) {
  const { productName } = useText()
  const heading = useFocusOnArrival()
  const main = useRef<HTMLElement>(null)
  useFocusKept(main, headingOfPage)
  return (
    <PageShell productName={productName}>
      <main className={styles.main} ref={main}>
        <div className={styles.intro}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <p>{lead}</p>
        </div>
        {children}
      </main>
    </PageShell>
  )
}
