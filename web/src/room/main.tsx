import '../design/tokens.css'
import '../design/base.css'
import { createRoot } from 'react-dom/client'
import { openCall } from '../connection/open-call.ts'
import { supportOf, thisBrowser } from '../devices/support.ts'
import { LanguageProvider } from '../i18n/language.tsx'
import { chooseLocale, recallLocale } from '../i18n/locale.ts'
import { takeEntryLink } from './prejoin/entry-link.ts'
import { RoomPage } from './room-page.tsx'

const link = takeEntryLink({
  location: globalThis.location,
  history: globalThis.history,
  storage: globalThis.sessionStorage,
})
// The panelist of a poorly written link may have any language: the browser's own comes last.
const locale = chooseLocale([recallLocale(), link.locale, ...navigator.languages])
const root = document.querySelector('#root')
if (root === null) throw new Error('the page has no root element')

createRoot(root).render(
  <LanguageProvider initial={locale}>
    <RoomPage
      link={link}
      call={openCall(link.roomId)}
      support={link.role === 'observer' ? 'ok' : supportOf(thisBrowser())}
    />
  </LanguageProvider>,
)
