import '../design/tokens.css'
import '../design/base.css'
import { CAPABILITIES } from '@interview-room/contract/capabilities.ts'
import { openCall } from '../connection/open-call.ts'
import { createBrandingStore } from '../design/branding.tsx'
import { supportOf, thisBrowser } from '../devices/support.ts'
import { chooseLocale, recallLocale } from '../i18n/locale.ts'
import { openTabStorage } from '../live/tab-storage.ts'
import { mountPage } from '../pages/mount-page.tsx'
import { connectHost } from './host/connect-host.ts'
import { takeEntryLink } from './prejoin/entry-link.ts'
import { RoomPage } from './room-page.tsx'

const link = takeEntryLink({
  location: globalThis.location,
  history: globalThis.history,
  storage: openTabStorage(),
})
// A poorly written link may name any language, so the browser's own comes last.
const locale = chooseLocale([recallLocale(), link.locale, ...navigator.languages])
const branding = createBrandingStore()
const call = openCall(link.roomId, branding.set)
const support = CAPABILITIES[link.role].isVisible ? supportOf(thisBrowser()) : 'ok'
const blocked = support === 'ok' ? null : 'unsupported_browser'
const obstacle = link.secret === null ? 'bad_link' : blocked
connectHost({ call, roomId: link.roomId, obstacle })

// Nobody may be seen or heard by a page on which they cannot see it.
const draw = mountPage({ branding, onBroken: () => void call.leave() })
draw(locale, <RoomPage link={link} call={call} support={support} />)
