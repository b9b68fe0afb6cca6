import type { Locale } from '@interview-room/contract/vocabulary.ts'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrandingProvider, type BrandingStore, createBrandingStore } from '../design/branding.tsx'
import { Button } from '../design/button.tsx'
import { WarningIcon } from '../design/icons.tsx'
import { Redrawn } from '../design/redrawn.tsx'
import { LanguageProvider, useLocale } from '../i18n/language.tsx'
import { START_TEXT } from '../i18n/start-text.ts'
import { isTooOld } from '../start/old-browser.ts'
import { restrictMarkup } from '../start/trusted-types.ts'
import { MessagePage } from './message-page.tsx'

interface MountOptions {
  branding?: BrandingStore
  /** Ends everything that a page cannot show any more, once it has failed to draw itself again. */
  onBroken?: () => void
  /** Follows a new address of the same page. True if it needs no reload. */
  onAddress?: (hash: string) => boolean
}

/** Renders a page in a language, in place of the previous one. */
type Draw = (locale: Locale, page: ReactNode) => void

/**
 * Starts rendering, unless the browser is too old; then the notice of the first script stays. A page that fails while
 * rendering is drawn again. If that fails, too, it says so and offers to reload.
 */
export function mountPage({
  branding = createBrandingStore(),
  onBroken,
  onAddress,
}: MountOptions = {}): Draw {
  const place = document.querySelector('#root')
  if (place === null) throw new Error('the page has no root element')
  if (isTooOld()) return () => {}
  restrictMarkup()
  // A new link in the address bar of the same page loads nothing, and would leave its secret there. Reload the page.
  addEventListener('hashchange', () => {
    if (onAddress?.(globalThis.location.hash) !== true) globalThis.location.reload()
  })
  const root = createRoot(place)
  return (locale, page) =>
    root.render(
      <BrandingProvider store={branding}>
        <LanguageProvider key={locale} initial={locale}>
          <Redrawn instead={<BrokenPage />} onGivenUp={onBroken}>
            {page}
          </Redrawn>
        </LanguageProvider>
      </BrandingProvider>,
    )
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
