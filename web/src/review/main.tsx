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

const { pathname } = globalThis.location
const { token, place, isAddressFree } = takeReviewLink({
  location: globalThis.location,
  history: globalThis.history,
  storage: openTabStorage(),
})
const branding = createBrandingStore()
// The address of a place seeks, and only another token starts the page again.
const draw = mountPage({ branding, onAddress: (hash) => !hasToken(hash) })
const locale = chooseLocale([recallLocale(), ...navigator.languages])

if (token === null) {
  draw(locale, <EndedPage />)
} else {
  const visit = new ReviewVisit(token, pathname)
  visit.subscribe(() => {
    const state = visit.getState()
    if (state.phase === 'open') branding.set(state.review.branding)
  })
  draw(locale, <ReviewPage visit={visit} place={place} isAddressFree={isAddressFree} />)
  void visit.look()
}
