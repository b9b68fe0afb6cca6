import '../design/tokens.css'
import '../design/base.css'
import { createRoot } from 'react-dom/client'
import { openCall } from '../connection/open-call.ts'
import { BrandingProvider, createBrandingStore } from '../design/branding.tsx'
import { supportOf, thisBrowser } from '../devices/support.ts'
import { LanguageProvider } from '../i18n/language.tsx'
import { chooseLocale, recallLocale } from '../i18n/locale.ts'
import { connectHost } from './host/connect-host.ts'
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

const branding = createBrandingStore()
const call = openCall(link.roomId, branding.set)
const support = link.role === 'observer' ? 'ok' : supportOf(thisBrowser())
const blocked = support === 'ok' ? null : 'unsupported_browser'
const obstacle = link.secret === null ? 'bad_link' : blocked
connectHost({ call, roomId: link.roomId, obstacle })

createRoot(root).render(
  <BrandingProvider store={branding}>
    <LanguageProvider initial={locale}>
      <RoomPage link={link} call={call} support={support} />
    </LanguageProvider>
  </BrandingProvider>,
)
