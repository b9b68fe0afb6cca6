import type { Locale } from '@interview-room/contract/vocabulary.ts'
import { Component, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrandingProvider, type BrandingStore, createBrandingStore } from '../design/branding.tsx'
import { Button } from '../design/button.tsx'
import { WarningIcon } from '../design/icons.tsx'
import { LanguageProvider, useLocale } from '../i18n/language.tsx'
import { START_TEXT } from '../i18n/start-text.ts'
import { isTooOld } from '../start/old-browser.ts'
import { MessagePage } from './message-page.tsx'

interface MountOptions {
  branding?: BrandingStore
  /** Ends what the page cannot show any more. */
  onBroken?: () => void
}

/** Draws a page in a language, in place of the one before. */
type Draw = (locale: Locale, page: ReactNode) => void

/**
 * Takes the place of the page, unless the browser is too old for it: then what the first script said stays. A page
 * that fails while it is drawn says so, and offers to reload.
 */
export function mountPage({ branding = createBrandingStore(), onBroken }: MountOptions = {}): Draw {
  const place = document.querySelector('#root')
  if (place === null) throw new Error('the page has no root element')
  if (isTooOld()) return () => {}
  // Another link that is put into the address bar of the same page loads nothing, and would stay there with its secret.
  addEventListener('hashchange', () => globalThis.location.reload())
  const root = createRoot(place)
  return (locale, page) =>
    root.render(
      <BrandingProvider store={branding}>
        <LanguageProvider key={locale} initial={locale}>
          <Unbroken onBroken={onBroken}>{page}</Unbroken>
        </LanguageProvider>
      </BrandingProvider>,
    )
}

interface UnbrokenProps {
  onBroken: (() => void) | undefined
  children: ReactNode
}

class Unbroken extends Component<UnbrokenProps, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true }
  }

  override componentDidCatch(): void {
    this.props.onBroken?.()
  }

  override render(): ReactNode {
    return this.state.isBroken ? <BrokenPage /> : this.props.children
  }
}

function BrokenPage() {
  const { broken, reload } = START_TEXT[useLocale()]
  return (
    <MessagePage
      icon={<WarningIcon />}
      {...broken}
      action={
        <Button look="primary" size="large" onPress={() => globalThis.location.reload()}>
          {reload}
        </Button>
      }
    />
  )
}
