import '../design/tokens.css'
import '../design/base.css'
import { createRoot } from 'react-dom/client'
import { supportOf, thisBrowser } from '../devices/support.ts'
import { LanguageProvider } from '../i18n/language.tsx'
import { chooseLocale, recallLocale } from '../i18n/locale.ts'
import { LoadingPage } from './loading-page.tsx'
import { openVisit } from './open-visit.ts'
import { takeTestLink } from './test-link.ts'
import { BadLinkPage, TestPage } from './test-page.tsx'
import type { TestVisit } from './test-visit.ts'

const { connectionTestId, ticket } = takeTestLink({
  location: globalThis.location,
  history: globalThis.history,
  storage: globalThis.sessionStorage,
})
const place = document.querySelector('#root')
if (place === null) throw new Error('the page has no root element')
const root = createRoot(place)
const ownLocale = chooseLocale([recallLocale(), ...navigator.languages])

if (ticket === null) {
  root.render(
    <LanguageProvider initial={ownLocale}>
      <BadLinkPage />
    </LanguageProvider>,
  )
} else {
  const support = supportOf(thisBrowser())
  void show(openVisit({ connectionTestId, ticket, support }))
}

/** The test says its language; until it has answered the browser's own is used. */
async function show(visit: TestVisit): Promise<void> {
  root.render(
    <LanguageProvider key="own" initial={ownLocale}>
      <LoadingPage />
    </LanguageProvider>,
  )
  addEventListener('pagehide', () => visit.leave())
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void visit.load()
  })
  const facts = await visit.load()
  const locale = chooseLocale([recallLocale(), facts?.locale, ...navigator.languages])
  root.render(
    <LanguageProvider key="test" initial={locale}>
      <TestPage visit={visit} />
    </LanguageProvider>,
  )
}
