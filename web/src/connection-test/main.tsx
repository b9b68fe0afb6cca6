import '../design/tokens.css'
import '../design/base.css'
import { supportOf, thisBrowser } from '../devices/support.ts'
import { chooseLocale, recallLocale } from '../i18n/locale.ts'
import { openTabStorage } from '../live/tab-storage.ts'
import { mountPage } from '../pages/mount-page.tsx'
import { LoadingPage } from './loading-page.tsx'
import { openVisit } from './open-visit.ts'
import { takeTestLink } from './test-link.ts'
import { BadLinkPage, TestPage } from './test-page.tsx'
import type { TestVisit } from './test-visit.ts'

const { connectionTestId, ticket } = takeTestLink({
  location: globalThis.location,
  history: globalThis.history,
  storage: openTabStorage(),
})
const draw = mountPage()
const ownLocale = chooseLocale([recallLocale(), ...navigator.languages])

if (ticket === null) {
  draw(ownLocale, <BadLinkPage />)
} else {
  const support = supportOf(thisBrowser())
  void show(openVisit({ connectionTestId, ticket, support }))
}

/** The test determines the language. Until it has answered, the browser's own is used. */
async function show(visit: TestVisit): Promise<void> {
  draw(ownLocale, <LoadingPage />)
  addEventListener('pagehide', () => visit.leave())
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void visit.load()
  })
  const facts = await visit.load()
  const locale = chooseLocale([recallLocale(), facts?.locale, ...navigator.languages])
  draw(locale, <TestPage visit={visit} />)
}
