import '../design/tokens.css'
import '../design/base.css'
import { createBrandingStore } from '../design/branding.tsx'
import { chooseLocale, recallLocale } from '../i18n/locale.ts'
import { openTabStorage } from '../live/tab-storage.ts'
import { mountPage } from '../pages/mount-page.tsx'
import { EndedPage } from './closed-pages.tsx'
import { hasToken, takeReviewLink } from './review-link.ts'
import { ReviewPage } from './review-page.tsx'
import { ReviewVisit } from './review-visit.ts'
import { takeShareLink } from './sharing/share-link.ts'
import { SharePage } from './sharing/share-page.tsx'

const { pathname } = globalThis.location
const page = {
  location: globalThis.location,
  history: globalThis.history,
  storage: openTabStorage(),
}
const share = pathname.startsWith('/s/') ? takeShareLink(page) : null
const { token, place, isAddressFree } = takeReviewLink(page)
const branding = createBrandingStore()
// The address of a place seeks, and only another token starts the page again.
const draw = mountPage({ branding, onAddress: (hash) => !hasToken(hash) })
const locale = chooseLocale([recallLocale(), ...navigator.languages])

if (share !== null) {
  draw(
    locale,
    <SharePage
      link={share}
      onOpened={(opened) => show(opened.token, `/v/${opened.recording_id}`)}
    />,
  )
} else if (token === null) {
  draw(locale, <EndedPage />)
} else {
  show(token, pathname)
}

/** Shows what a token opens. */
function show(viewerToken: string, path: string): void {
  const visit = new ReviewVisit(viewerToken, path)
  visit.subscribe(() => {
    const state = visit.getState()
    if (state.phase === 'open') branding.set(state.review.branding)
  })
  draw(locale, <ReviewPage visit={visit} place={place} isAddressFree={isAddressFree} />)
  void visit.look()
}
