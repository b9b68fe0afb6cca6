import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { Button } from '../../../design/button.tsx'
import { useLocale } from '../../../i18n/language.tsx'
import { pdfEn } from '../../../i18n/pdf-en.ts'
import { type PdfDictionary, pdfJa } from '../../../i18n/pdf-ja.ts'
import { useToolsText } from '../../../i18n/tools-text.ts'
import { areShortcutsOn } from '../../tools/shortcut-choice.ts'
import { turnKey } from '../turn-key.ts'
import type { Handouts } from '../use-handouts.ts'
import styles from './turn-bar.module.css'

const DICTIONARIES = { ja: pdfJa, en: pdfEn }

export interface TurnBarProps {
  handouts: Handouts
  /** The element in which Page Up and Page Down turn the pages. */
  stage: RefObject<HTMLElement | null>
}

/** Buttons that turn the pages of a PDF, next to the shown page. */
export function TurnBar({ handouts, stage }: TurnBarProps) {
  const text: PdfDictionary = DICTIONARIES[useLocale()]
  const { notSaved } = useToolsText().handout
  const { pages, turn } = handouts
  const bar = useRef<HTMLFieldSetElement>(null)
  const wasUsed = useRef(false)
  function press(side: 'previous' | 'next'): void {
    wasUsed.current = true
    turn(side)
  }
  // On the first and last page the pressed button is disabled. Keep the focus in the bar.
  useLayoutEffect(() => {
    if (wasUsed.current && document.activeElement === document.body) focusOn(bar)
    // oxlint-disable-next-line react/exhaustive-deps -- when another page is shown
  }, [pages?.place.page])
  useTurnKeys({ stage, bar, press: pages === null ? undefined : press })
  if (pages === null) return null
  const { place, previous, next } = pages
  return (
    <>
      <fieldset ref={bar} className={styles.bar} aria-label={text.turning}>
        <Button
          size="small"
          aria-label={text.previousPage}
          isDisabled={previous === null}
          onPress={() => press('previous')}
        >
          <span aria-hidden="true">←</span>
        </Button>
        <span className={styles.place}>
          <span aria-hidden="true">{`${place.page} / ${place.pages}`}</span>
          <span className="visually-hidden">{text.place(place.page, place.pages)}</span>
        </span>
        <Button
          size="small"
          aria-label={text.nextPage}
          isDisabled={next === null}
          onPress={() => press('next')}
        >
          <span aria-hidden="true">→</span>
        </Button>
      </fieldset>
      {/* An open panel says so itself. */}
      {handouts.hasFailed && !handouts.isOpen && (
        <p className={styles.failed} role="alert">
          {notSaved}
        </p>
      )}
    </>
  )
}

interface TurnKeys {
  stage: RefObject<HTMLElement | null>
  bar: RefObject<HTMLElement | null>
  press: ((side: 'previous' | 'next') => void) | undefined
}

function useTurnKeys({ stage, bar, press }: TurnKeys): void {
  useEffect(() => {
    const element = stage.current
    function onKey(event: KeyboardEvent): void {
      const side = turnKey(event, event.target instanceof Element ? event.target : null)
      if (side === null || press === undefined || !areShortcutsOn()) return
      event.preventDefault()
      // The focused element disappears with its page. Move the focus, so that the next key press arrives here, too.
      focusOn(bar)
      press(side)
    }
    element?.addEventListener('keydown', onKey)
    return () => element?.removeEventListener('keydown', onKey)
  })
}

function focusOn(bar: RefObject<HTMLElement | null>): void {
  bar.current?.querySelector<HTMLElement>('button:enabled')?.focus({ preventScroll: true })
}
